import { describe } from "vitest";
import { forbiddenSuite } from "../../../testing/endpoint-statuses.suite.ts";

describe("GET payouts answers 403", () => forbiddenSuite("getPayouts"));

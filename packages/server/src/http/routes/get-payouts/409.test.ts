import { describe } from "vitest";
import { conflictSuite } from "../../../testing/endpoint-statuses.suite.ts";

describe("GET payouts answers 409", () => conflictSuite("getPayouts"));

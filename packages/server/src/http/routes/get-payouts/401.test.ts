import { describe } from "vitest";
import { unauthorizedSuite } from "../../../testing/endpoint-statuses.suite.ts";

describe("GET payouts answers 401", () => unauthorizedSuite("getPayouts"));

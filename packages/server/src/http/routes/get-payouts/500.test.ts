import { describe } from "vitest";
import { faultSuite } from "../../../testing/endpoint-statuses.suite.ts";

describe("GET payouts answers 500", () => faultSuite("getPayouts"));

import { describe } from "vitest";
import { upstreamSuite } from "../../../testing/endpoint-statuses.suite.ts";

describe("GET payouts answers 502", () => upstreamSuite("getPayouts"));

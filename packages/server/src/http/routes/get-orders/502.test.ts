import { describe } from "vitest";
import { upstreamSuite } from "../../../testing/endpoint-statuses.suite.ts";

describe("GET orders answers 502", () => upstreamSuite("getOrders"));

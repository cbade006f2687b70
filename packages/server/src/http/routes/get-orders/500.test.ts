import { describe } from "vitest";
import { faultSuite } from "../../../testing/endpoint-statuses.suite.ts";

describe("GET orders answers 500", () => faultSuite("getOrders"));

import { describe } from "vitest";
import { unauthorizedSuite } from "../../../testing/endpoint-statuses.suite.ts";

describe("GET orders answers 401", () => unauthorizedSuite("getOrders"));

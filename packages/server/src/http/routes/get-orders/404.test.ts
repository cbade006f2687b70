import { describe } from "vitest";
import { notFoundSuite } from "../../../testing/endpoint-statuses.suite.ts";

describe("GET orders answers 404", () => notFoundSuite("getOrders"));

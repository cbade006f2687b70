import { describe } from "vitest";
import { conflictSuite } from "../../../testing/endpoint-statuses.suite.ts";

describe("GET orders answers 409", () => conflictSuite("getOrders"));

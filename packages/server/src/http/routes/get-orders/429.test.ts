import { describe } from "vitest";
import { readBudgetSuite } from "../../../testing/endpoint-statuses.suite.ts";

describe("GET orders answers 429", () => readBudgetSuite("getOrders"));

import { describe } from "vitest";
import { readBudgetSuite } from "../../../testing/endpoint-statuses.suite.ts";

describe("GET payouts answers 429", () => readBudgetSuite("getPayouts"));

import { describe } from "vitest";
import { readBudgetSuite } from "../../../testing/endpoint-statuses.suite.ts";

describe("GET trades answers 429", () => readBudgetSuite("getTrades"));

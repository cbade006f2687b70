import { describe } from "vitest";
import { readBudgetSuite } from "../../../testing/endpoint-statuses.suite.ts";

describe("GET quotes answers 429", () => readBudgetSuite("getQuotes"));

import { describe } from "vitest";
import { readBudgetSuite } from "../../../testing/endpoint-statuses.suite.ts";

describe("GET account answers 429", () => readBudgetSuite("getAccount"));

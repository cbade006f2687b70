import { describe } from "vitest";
import { readBudgetSuite } from "../../../testing/endpoint-statuses.suite.ts";

describe("GET positions answers 429", () => readBudgetSuite("getPositions"));

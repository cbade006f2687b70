import { describe } from "vitest";
import { readBudgetSuite } from "../../../testing/endpoint-statuses.suite.ts";

describe("GET instruments answers 429", () => readBudgetSuite("getInstruments"));

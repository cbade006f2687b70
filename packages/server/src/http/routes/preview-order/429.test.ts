import { describe } from "vitest";
import { readBudgetSuite } from "../../../testing/endpoint-statuses.suite.ts";

describe("POST preview answers 429", () => readBudgetSuite("previewOrder"));

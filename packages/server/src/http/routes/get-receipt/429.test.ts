import { describe } from "vitest";
import { readBudgetSuite } from "../../../testing/endpoint-statuses.suite.ts";

describe("GET receipts/{nonce} answers 429", () => readBudgetSuite("getReceipt"));

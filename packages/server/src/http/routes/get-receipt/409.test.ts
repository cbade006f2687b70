import { describe } from "vitest";
import { conflictSuite } from "../../../testing/endpoint-statuses.suite.ts";

describe("GET receipts/{nonce} answers 409", () => conflictSuite("getReceipt"));

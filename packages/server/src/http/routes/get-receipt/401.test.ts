import { describe } from "vitest";
import { unauthorizedSuite } from "../../../testing/endpoint-statuses.suite.ts";

describe("GET receipts/{nonce} answers 401", () => unauthorizedSuite("getReceipt"));

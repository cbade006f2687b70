import { describe } from "vitest";
import { faultSuite } from "../../../testing/endpoint-statuses.suite.ts";

describe("GET receipts/{nonce} answers 500", () => faultSuite("getReceipt"));

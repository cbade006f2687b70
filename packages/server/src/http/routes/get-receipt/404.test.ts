import { describe } from "vitest";
import { notFoundSuite } from "../../../testing/endpoint-statuses.suite.ts";

describe("GET receipts/{nonce} answers 404", () => notFoundSuite("getReceipt"));

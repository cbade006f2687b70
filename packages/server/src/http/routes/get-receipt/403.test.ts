import { describe } from "vitest";
import { forbiddenSuite } from "../../../testing/endpoint-statuses.suite.ts";

describe("GET receipts/{nonce} answers 403", () => forbiddenSuite("getReceipt"));

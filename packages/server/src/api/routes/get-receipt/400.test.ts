import { describe, expect, test } from "vitest";
import { openEndpointUnderTest } from "../../../testing/endpoint-statuses.suite.ts";

describe("GET receipts/{nonce} answers 400 [D9.receipts]", () => {
  const { service } = openEndpointUnderTest("getReceipt");

  test.each(["%C3%A9", "%0A", "x".repeat(129)])("no nonce can be %s", async (nonce) => {
    const reply = await service().get(`receipts/${nonce}`);
    expect([reply.status, reply.json()]).toEqual([
      400,
      { error: "'nonce' must be 1 to 128 printable ASCII characters" },
    ]);
  });
});

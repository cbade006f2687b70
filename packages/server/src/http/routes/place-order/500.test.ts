import { describe, expect, test } from "vitest";
import { endpointUnderTest, faultSuite } from "../../../testing/endpoint-statuses.suite.ts";

describe("POST orders answers 500", () => faultSuite("placeOrder"));

describe("POST orders answers 500 when nobody knows the order's fate", () => {
  const { service, call } = endpointUnderTest("placeOrder");

  test("the text tells the client to look before it tries again [D5.unknownFate] [S4.2.notIdempotent]", async () => {
    service().faults.set({ orders: "acceptThenDrop" });
    const reply = await call();
    expect(reply.status).toBe(500);
    expect(reply.text).toContain("may or may not have been accepted");
    expect(reply.text).toContain("Check positions and orders before retrying");
  });
});

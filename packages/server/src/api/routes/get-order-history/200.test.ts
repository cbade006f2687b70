import { describe, expect, test } from "vitest";
import { endpointUnderTest } from "../../../testing/endpoint-statuses.suite.ts";

describe("GET order-history answers 200", () => {
  const { call } = endpointUnderTest("getOrderHistory");

  test("an account without orders has an empty page that continues at the start [D9.orderHistory]", async () => {
    const reply = await call();
    expect([reply.status, reply.json()]).toEqual([
      200,
      { success: true, data: { items: [], next: `0-${"0".repeat(32)}` } },
    ]);
  });
});

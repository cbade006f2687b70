import { describe, expect, test } from "vitest";
import { endpointUnderTest } from "../../../testing/endpoint-statuses.suite.ts";

const RESTING = {
  execution_type: "LIMIT",
  trade_pair: "BTCUSD",
  order_type: "LONG",
  quantity: 1,
  limit_price: 40_000,
};

describe("POST orders answers 500 when the network does not answer", () => {
  const { service, call } = endpointUnderTest("placeOrder");

  test("the text tells the client to read before it retries [D5.unknownFate] [S4.2.notIdempotent]", async () => {
    service().faults.set({ orders: "acceptThenDrop" });
    const reply = await call();
    expect(reply.status).toBe(500);
    expect(reply.text).toContain("may or may not have been accepted");
    expect(reply.text).toContain("Check positions and orders before retrying");
  });

  test("POST orders answers 500 without the network and says that nothing happened, and nothing did [D5.networkDown]", async () => {
    service().faults.set({ orders: "ok", network: "down" });
    const reply = await service().order(RESTING);
    service().faults.set({ network: "up" });
    expect([reply.status, reply.text]).toEqual([
      500,
      '{"error":"The trading network is unreachable; the order was not accepted"}',
    ]);
    expect((await service().get("orders")).json()).toEqual({ success: true, data: [] });
  });
});

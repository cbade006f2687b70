import type { OrderHistory } from "@propgate/contract";
import { describe, expect, test } from "vitest";
import { openEndpointUnderTest } from "../../../testing/endpoint-statuses.suite.ts";
import { START_MS } from "../../../testing/harness.ts";

describe("GET order-history answers 200", () => {
  const { service, call } = openEndpointUnderTest("getOrderHistory");

  test("an account without orders has an empty page that continues at the start [D9.orderHistory]", async () => {
    const reply = await call();
    expect([reply.status, reply.json()]).toEqual([
      200,
      { success: true, data: { items: [], next: `0-${"0".repeat(32)}` } },
    ]);
  });

  test("an order has its request, its state and its order [D9.orderHistory]", async () => {
    const signer = await service().newKey({ accountId: await service().newAccount() });
    const limit = { execution_type: "LIMIT", trade_pair: "BTCUSD", order_type: "LONG" };
    const trade = { ...limit, quantity: 0.1, limit_price: 40_000 };
    const placed = (await service().order(trade, { signer, nonce: "resting" })).json();
    const { data } = (await call({ signer })).json() as { data: OrderHistory };
    expect(data.items).toMatchObject([
      {
        executionType: "LIMIT",
        status: "resting",
        tradePair: "BTCUSD",
        orderType: "LONG",
        keyId: signer.keyId,
        nonce: "resting",
        placedMs: START_MS,
        endedMs: null,
        order: { limitPrice: 40_000 },
      },
    ]);
    expect(placed).toMatchObject({ data: { order_uuid: data.items[0]?.orderUuid } });
  });
});

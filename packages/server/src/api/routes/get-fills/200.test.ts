import type { Fills } from "@propgate/contract";
import { describe, expect, test } from "vitest";
import { openEndpointUnderTest } from "../../../testing/endpoint-statuses.suite.ts";

describe("GET fills answers 200", () => {
  const { service, call } = openEndpointUnderTest("getFills");

  test("an account without orders has an empty page that continues at the start [D9.fills]", async () => {
    const reply = await call();
    expect([reply.status, reply.json()]).toEqual([
      200,
      { success: true, data: { items: [], next: `0-${"0".repeat(32)}` } },
    ]);
  });

  test("a fill has its order, its size and what it cost, and the next page begins behind it [D9.fills]", async () => {
    const signer = await service().newKey({ accountId: await service().newAccount() });
    const long = { execution_type: "MARKET", trade_pair: "BTCUSD", order_type: "LONG" };
    const placed = (await service().order({ ...long, quantity: 0.5 }, { signer })).json();
    const { data } = (await call({ signer })).json() as { data: Fills };
    expect(data.items).toMatchObject([
      {
        sequence: 2,
        type: "order.filled",
        data: { tradePair: "BTCUSD", direction: "LONG", effect: "open", quantity: 0.5, fee: 7.5 },
      },
    ]);
    expect(placed).toMatchObject({ data: { order_uuid: data.items[0]?.data.orderUuid } });
    expect(data.next).toBe(data.items[0]?.cursor);
  });
});

import { type OrderHistory, type OrderLife, orderPath } from "@propgate/contract";
import { beforeAll, describe, expect, test } from "vitest";
import { type Harness, openHarness } from "../testing/harness.ts";

const EDITS = 2_000;
/** The number of requests that are under way at the same time. */
const TOGETHER = 50;
const BID = {
  execution_type: "LIMIT",
  trade_pair: "BTCUSD",
  order_type: "LONG",
  quantity: 0.1,
  limit_price: 40_000,
};
/** The maximum number of events of a page. */
const PAGE = 500;

describe("an order that was edited thousands of times [D9.orderLife] [D13.answerBytes]", () => {
  let service: Harness;
  let order_uuid = "";

  beforeAll(async () => {
    service = await openHarness();
    await service.quote("BTCUSD", 50_000, 50_000);
    const { data } = (await service.order(BID)).json() as { data: { order_uuid: string } };
    ({ order_uuid } = data);
    for (let done = 0; done < EDITS; done += TOGETHER) {
      const replies = await Promise.all(
        Array.from({ length: TOGETHER }, (_, at) => edit(40_001 + done + at)),
      );
      for (const { status, text } of replies) expect(status, text).toBe(200);
    }
    expect((await edit(49_000)).status).toBe(200);
    return () => service.close();
  });

  const edit = (limit_price: number) =>
    service.order({ ...BID, execution_type: "LIMIT_EDIT", order_uuid, limit_price });
  const life = async (query = ""): Promise<OrderLife> => {
    const reply = await service.call(orderPath(order_uuid) + query);
    expect(reply.status).toBe(200);
    return (reply.json() as { data: OrderLife }).data;
  };

  test("an order with thousands of edits shows its newest content with one page of its events, and in the history", async () => {
    const { order, events, next, status } = await life();
    expect([status, order?.limitPrice]).toEqual(["resting", 49_000]);
    // The page has as many events as fit into 256 KiB.
    expect(events.length).toBeGreaterThan(100);
    expect(events.length).toBeLessThan(PAGE);
    expect(next).not.toBeNull();
    const reply = await service.get("order-history?limit=10");
    const { data } = reply.json() as { data: OrderHistory };
    expect(data.items).toMatchObject([{ orderUuid: order_uuid, order: { limitPrice: 49_000 } }]);
  });

  test("an order with thousands of edits has every event once behind `next`, and the same content on every page", async () => {
    const { events: first, next, ...kept } = await life();
    const events = [...first];
    for (let after = next; after !== null; ) {
      const { events: more, next: behind, ...same } = await life(`?after=${after}`);
      expect(same).toEqual(kept);
      events.push(...more);
      after = behind;
    }
    expect(events).toHaveLength(1 + EDITS + 1);
    const sequences = events.map(({ sequence }) => sequence);
    expect(sequences).toEqual([...new Set(sequences)].toSorted((one, other) => one - other));
  });
});

import type { Fills, OrderHistory, OrderLife } from "@propgate/contract";
import { orderPath } from "@propgate/contract";
import { beforeAll, beforeEach, describe, expect, test } from "vitest";
import { expectDescribedAnswer } from "../../../testing/described-answer.ts";
import { type Harness, openHarness, START_MS } from "../../../testing/harness.ts";

const MARKET = {
  execution_type: "MARKET",
  trade_pair: "BTCUSD",
  order_type: "LONG",
  quantity: 0.5,
  stop_loss: 45_000,
  take_profit: 60_000,
} as const;
const LIMIT = {
  execution_type: "LIMIT",
  trade_pair: "BTCUSD",
  order_type: "LONG",
  quantity: 0.1,
  limit_price: 49_000,
} as const;
const STOP = {
  execution_type: "STOP_LIMIT",
  trade_pair: "BTCUSD",
  order_type: "LONG",
  quantity: 0.1,
  limit_price: 48_000,
  stop_price: 48_500,
  stop_condition: "LTE",
} as const;

describe("GET orders/{orderUuid} answers 200 [D9.orderLife]", () => {
  let service: Harness;
  /** The ids of a market order, a limit order that fills, one that is cancelled, and a stop-limit that triggers. */
  const ids = { market: "", filled: "", cancelled: "", stop: "" };
  const placed = async (trade: object, nonce: string): Promise<string> => {
    const reply = await service.order(trade, { nonce });
    expect(reply.status).toBe(200);
    return (reply.json() as { data: { order_uuid: string } }).data.order_uuid;
  };
  const open = async () => {
    service = await openHarness();
    await service.quote("BTCUSD", 50_000, 50_000);
    ids.market = await placed(MARKET, "market");
    ids.filled = await placed(LIMIT, "filled");
    ids.cancelled = await placed({ ...LIMIT, limit_price: 40_000 }, "cancelled");
    await placed(
      { ...LIMIT, execution_type: "LIMIT_EDIT", order_uuid: ids.cancelled, limit_price: 41_000 },
      "edit",
    );
    await placed({ execution_type: "LIMIT_CANCEL", order_uuid: ids.cancelled }, "cancel");
    ids.stop = await placed(STOP, "stop");
    await service.time.pass(1_000);
    await service.quote("BTCUSD", 48_400, 48_400);
    return () => service.close();
  };

  const life = async (orderUuid: string): Promise<OrderLife> => {
    const reply = await service.call(orderPath(orderUuid));
    expectDescribedAnswer("getOrder", reply);
    return (reply.json() as { data: OrderLife }).data;
  };
  const history = async (query = ""): Promise<OrderHistory> => {
    const reply = await service.get(`order-history${query}`);
    expectDescribedAnswer("getOrderHistory", reply);
    return (reply.json() as { data: OrderHistory }).data;
  };
  const fills = async (query = ""): Promise<Fills> => {
    const reply = await service.get(`fills${query}`);
    expectDescribedAnswer("getFills", reply);
    return (reply.json() as { data: Fills }).data;
  };
  const typesOf = ({ events }: OrderLife) => events.map(({ type }) => type);

  describe("of what has happened", () => {
    beforeAll(open);

    test("GET orders/{orderUuid} answers a market order with its fill, its legs and the request that placed it", async () => {
      const order = await life(ids.market);
      expect(order).toMatchObject({
        orderUuid: ids.market,
        executionType: "MARKET",
        status: "filled",
        tradePair: "BTCUSD",
        orderType: "LONG",
        keyId: service.signer.keyId,
        nonce: "market",
        placedMs: START_MS,
        endedMs: START_MS,
        filledQuantity: 0.5,
        averagePrice: 50_000,
        fee: 7.5,
        order: null,
        reduced: false,
      });
      expect(order.legs).toEqual([`${ids.market}-bracket-0`]);
      expect(typesOf(order)).toEqual(["order.filled", "legs.attached"]);
      expect(order.fills.map(({ sequence }) => sequence)).toEqual([2]);
    });

    test("a leg of it is an order of its own, pending until it fills", async () => {
      expect(await life(`${ids.market}-bracket-0`)).toMatchObject({
        executionType: "BRACKET",
        status: "resting",
        endedMs: null,
        positionUuid: ids.market,
        order: { stopLoss: 45_000, takeProfit: 60_000 },
        legs: [],
      });
    });

    test("a limit order that has filled says so, with the price of its fill", async () => {
      const order = await life(ids.filled);
      expect(order).toMatchObject({
        executionType: "LIMIT",
        status: "filled",
        endedMs: START_MS + 1_000,
        filledQuantity: 0.1,
        averagePrice: 48_400,
        nonce: "filled",
        order: { limitPrice: 49_000, quantity: 0.1 },
      });
      expect(typesOf(order)).toEqual(["order.resting", "order.filled"]);
    });

    test("a cancelled order says why, and has its last content", async () => {
      const order = await life(ids.cancelled);
      expect(order).toMatchObject({
        status: "cancelled",
        reason: "owner",
        filledQuantity: 0,
        averagePrice: null,
        order: { limitPrice: 41_000 },
      });
      expect(typesOf(order)).toEqual(["order.resting", "order.edited", "order.cancelled"]);
    });

    test("a stop-limit whose stop was reached is triggered and still pending", async () => {
      const order = await life(ids.stop);
      expect(order).toMatchObject({
        executionType: "STOP_LIMIT",
        status: "triggered",
        endedMs: null,
        // The order has the same fields as in GET orders.
        order: { executionType: "LIMIT", limitPrice: 48_000, stopPrice: null, stopCondition: null },
      });
      expect(typesOf(order)).toEqual(["order.resting", "order.triggered"]);
    });

    test("the history has each order and leg once, oldest first, and pages without loss [D9.orderHistory]", async () => {
      const all = await history();
      expect(all.items.map(({ orderUuid, status }) => [orderUuid, status])).toEqual([
        [ids.market, "filled"],
        [`${ids.market}-bracket-0`, "resting"],
        [ids.filled, "filled"],
        [ids.cancelled, "cancelled"],
        [ids.stop, "triggered"],
      ]);
      const seen: string[] = [];
      let after = "0";
      for (let page = await history(`?after=${after}&limit=2`); page.items.length > 0; ) {
        seen.push(...page.items.map(({ orderUuid }) => orderUuid));
        after = page.next;
        page = await history(`?after=${after}&limit=2`);
      }
      expect(seen).toEqual(all.items.map(({ orderUuid }) => orderUuid));
      expect((await history("?limit=1")).items.map(({ orderUuid }) => orderUuid)).toEqual([
        ids.stop,
      ]);
    });

    test("the fills, of a pair and since a time [D9.fills]", async () => {
      const ordersOf = ({ items }: Fills) => items.map(({ data }) => data.orderUuid);
      expect(ordersOf(await fills())).toEqual([ids.market, ids.filled]);
      expect(ordersOf(await fills("?limit=1"))).toEqual([ids.filled]);
      expect(ordersOf(await fills("?after=0&limit=1"))).toEqual([ids.market]);
      expect(ordersOf(await fills(`?since=${START_MS + 1}`))).toEqual([ids.filled]);
      expect(ordersOf(await fills("?tradePair=btc/usd"))).toEqual([ids.market, ids.filled]);
      expect(await fills("?tradePair=EURUSD")).toMatchObject({ items: [] });
      const { next } = await fills();
      expect((await fills(`?after=${next}`)).items).toEqual([]);
    });
  });

  describe("and what happens next", () => {
    beforeEach(open);

    test("what happens after a read is in the next one, also without the index", async () => {
      await placed({ execution_type: "LIMIT_CANCEL", order_uuid: ids.stop }, "later");
      expect(await life(ids.stop)).toMatchObject({ status: "cancelled" });
      const before = await history();
      await service.database.query("delete from order_lines");
      await service.database.query("delete from order_index");
      expect(await history()).toEqual(before);
    });

    test("a trailing leg has its present stop, in the history too, until it ends [D13.currentStop]", async () => {
      const trail = { execution_type: "BRACKET", trade_pair: "BTCUSD", quantity: 0.01 };
      const leg = await placed({ ...trail, trailing_stop: { trailing_value: 900 } }, "trail");
      await service.quote("BTCUSD", 48_800, 48_800);
      const levels = { currentStop: 47_900, bestPrice: 48_800 };
      expect(await life(leg)).toMatchObject({
        status: "resting",
        order: { stopLoss: null },
        ...levels,
      });
      const newest = async () => (await history()).items.find(({ orderUuid }) => orderUuid === leg);
      expect(await newest()).toMatchObject(levels);
      await service.quote("BTCUSD", 47_890, 47_890);
      const none = { status: "filled", currentStop: null, bestPrice: null };
      expect(await life(leg)).toMatchObject(none);
      expect(await newest()).toMatchObject(none);
    });
  });
});

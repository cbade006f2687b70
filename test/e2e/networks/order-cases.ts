import { expect } from "vitest";
import {
  expectAccepted,
  flatTrade,
  limitTrade,
  marketTrade,
  type NetworkCase,
  readEndpoint,
  sendOrder,
  type Trader,
} from "./network-case.ts";

const CLOSED = { execution_type: "FLAT_ALL" };
const CANCEL = { execution_type: "LIMIT_CANCEL" };

/** Orders that every network carries out, and how the reads show them. BTC is at 50,000 and ETH at 2,500. */
export const ORDER_CASES: readonly NetworkCase[] = [
  {
    title: "MARKET LONG by quantity opens a position at the ask",
    async run(trader) {
      const { btc } = trader.pairs;
      const placed = await expectAccepted(trader, marketTrade(btc, "LONG", { quantity: 0.5 }));
      expect(placed).toMatchObject({
        status: "filled",
        order: { tradePair: btc, orderType: "LONG", filled: true, quantity: 0.5, price: 50_000 },
      });
      expect(await readEndpoint(trader, "positions")).toMatchObject([
        {
          tradePair: btc,
          positionType: "LONG",
          netQuantity: 0.5,
          averageEntryPrice: 50_000,
          netValue: 25_000,
          cumulativeEntryValue: 25_000,
        },
      ]);
    },
  },
  {
    title: "MARKET SHORT by value opens a position with a negative quantity",
    async run(trader) {
      const { btc } = trader.pairs;
      await expectAccepted(trader, marketTrade(btc, "SHORT", { value: 10_000 }));
      expect(await readEndpoint(trader, "positions")).toMatchObject([
        { positionType: "SHORT", netQuantity: -0.2, netValue: -10_000 },
      ]);
    },
  },
  {
    title: "MARKET by leverage takes a multiple of the balance",
    async run(trader) {
      await expectAccepted(trader, marketTrade(trader.pairs.btc, "LONG", { leverage: 0.2 }));
      expect(await readEndpoint(trader, "positions")).toMatchObject([{ netQuantity: 0.4 }]);
    },
  },
  {
    title: "MARKET FLAT closes the position, and GET trades lists it",
    async run(trader) {
      const { btc } = trader.pairs;
      const opened = await expectAccepted(trader, marketTrade(btc, "LONG", { quantity: 0.5 }));
      await trader.quote(btc, 51_000, 51_010);
      const closed = await expectAccepted(trader, flatTrade(btc));
      expect(closed).toMatchObject({
        status: "filled",
        order: { filled: true, quantity: 0.5, price: 51_000, realizedPnl: 500 },
      });
      expect(await readEndpoint(trader, "positions")).toEqual([]);
      expect(await readEndpoint(trader, "trades")).toMatchObject([
        {
          id: opened.order_uuid,
          tradePair: btc,
          positionType: "LONG",
          quantity: 0.5,
          realizedPnl: 500,
          status: "CLOSED",
        },
      ]);
    },
  },
  {
    title: "an opposite order that is larger than the position closes it and opens nothing",
    async run(trader) {
      const { btc } = trader.pairs;
      await expectAccepted(trader, marketTrade(btc, "LONG", { quantity: 0.2 }));
      await expectAccepted(trader, marketTrade(btc, "SHORT", { quantity: 0.5 }));
      expect(await readEndpoint(trader, "positions")).toEqual([]);
      expect(await readEndpoint(trader, "trades")).toMatchObject([{ quantity: 0.2 }]);
    },
  },
  {
    title: "MARKET with a stop and a target attaches a leg, which closes the position at its price",
    async run(trader) {
      const { btc } = trader.pairs;
      const legs = { stop_loss: 49_000, take_profit: 52_000 };
      await expectAccepted(trader, { ...marketTrade(btc, "LONG", { quantity: 0.5 }), ...legs });
      expect(await readEndpoint(trader, "orders")).toMatchObject([
        { executionType: "BRACKET", stopLoss: 49_000, takeProfit: 52_000 },
      ]);
      expect(await readEndpoint(trader, "positions")).toMatchObject([
        { stopLoss: 49_000, takeProfit: 52_000 },
      ]);
      await trader.quote(btc, 49_000, 49_010);
      expect(await readEndpoint(trader, "positions")).toEqual([]);
      expect(await readEndpoint(trader, "orders")).toEqual([]);
      expect(await readEndpoint(trader, "trades")).toMatchObject([{ realizedPnl: -500 }]);
    },
  },
  {
    title: "LIMIT rests, is listed, and fills when its price comes",
    async run(trader) {
      const { btc } = trader.pairs;
      const placed = await expectAccepted(trader, limitTrade(btc, 49_000));
      expect(placed).toMatchObject({
        status: "resting",
        order: { filled: false, quantity: 0.5, value: null, price: null, limitPrice: 49_000 },
      });
      expect(await readEndpoint(trader, "orders")).toMatchObject([
        { orderUuid: placed.order_uuid, executionType: "LIMIT", orderType: "LONG", quantity: 0.5 },
      ]);
      await trader.quote(btc, 48_990, 49_000);
      expect(await readEndpoint(trader, "orders")).toEqual([]);
      expect(await readEndpoint(trader, "positions")).toMatchObject([
        { netQuantity: 0.5, averageEntryPrice: 49_000 },
      ]);
    },
  },
  {
    title: "LIMIT that the market has already reached fills at the market's price",
    async run(trader) {
      const { btc } = trader.pairs;
      await expectAccepted(trader, limitTrade(btc, 60_000));
      // The embedded network fills the order at the next quote.
      await trader.quote(btc, 50_000, 50_000);
      expect(await readEndpoint(trader, "positions")).toMatchObject([
        { netQuantity: 0.5, averageEntryPrice: 50_000 },
      ]);
      expect(await readEndpoint(trader, "orders")).toEqual([]);
    },
  },
  {
    title: "STOP_LIMIT rests with its stop, and becomes a limit at it",
    async run(trader) {
      const { btc } = trader.pairs;
      const stop = { execution_type: "STOP_LIMIT", stop_price: 52_000, stop_condition: "GTE" };
      const placed = await expectAccepted(trader, limitTrade(btc, 51_000, stop));
      expect(placed).toMatchObject({ status: "resting", order: { stopPrice: 52_000 } });
      expect(await readEndpoint(trader, "orders")).toMatchObject([
        { executionType: "STOP_LIMIT", stopPrice: 52_000, stopCondition: "GTE" },
      ]);
      await trader.quote(btc, 52_000, 52_010);
      expect(await readEndpoint(trader, "positions")).toEqual([]);
      expect(await readEndpoint(trader, "orders")).toMatchObject([
        { executionType: "LIMIT", limitPrice: 51_000 },
      ]);
      await trader.quote(btc, 50_980, 51_000);
      expect(await readEndpoint(trader, "positions")).toMatchObject([{ netQuantity: 0.5 }]);
    },
  },
  {
    title: "BRACKET protects a part of an open position",
    async run(trader) {
      const { btc } = trader.pairs;
      await expectAccepted(trader, marketTrade(btc, "LONG", { quantity: 0.5 }));
      const half = { stop_loss: 49_000, bracket_pct: 0.5 };
      const bracket = { execution_type: "BRACKET", trade_pair: btc, bracket_orders: [half] };
      const placed = await expectAccepted(trader, bracket);
      expect(placed).toMatchObject({ status: "resting", order: { executionType: "BRACKET" } });
      expect(await readEndpoint(trader, "orders")).toMatchObject([
        { executionType: "BRACKET", stopLoss: 49_000, bracketPct: 0.5 },
      ]);
      await trader.quote(btc, 49_000, 49_010);
      expect(await readEndpoint(trader, "positions")).toMatchObject([{ netQuantity: 0.25 }]);
    },
  },
  {
    title: "LIMIT_EDIT changes the price and keeps the id",
    async run(trader) {
      const { btc } = trader.pairs;
      const { order_uuid } = await expectAccepted(trader, limitTrade(btc, 49_000));
      const edit = limitTrade(btc, 48_000, { execution_type: "LIMIT_EDIT", order_uuid });
      expect(await expectAccepted(trader, edit)).toMatchObject({
        status: "edited",
        order_uuid,
        order: { filled: false, limitPrice: 48_000 },
      });
      expect(await readEndpoint(trader, "orders")).toMatchObject([
        { orderUuid: order_uuid, limitPrice: 48_000 },
      ]);
    },
  },
  {
    title: "LIMIT_CANCEL takes one id, a list of ids, and ALL",
    async run(trader) {
      const ids: string[] = [];
      for (const price of [49_000, 48_000, 47_000, 46_000]) {
        ids.push((await expectAccepted(trader, limitTrade(trader.pairs.btc, price))).order_uuid);
      }
      const [first = "", second = "", third = "", fourth = ""] = ids;
      const pending = async (): Promise<readonly string[]> => {
        const orders = (await readEndpoint(trader, "orders")) as readonly {
          readonly orderUuid: string;
        }[];
        return orders.map(({ orderUuid }) => orderUuid).toSorted();
      };
      expect(await pending()).toEqual(ids.toSorted());
      expect(await expectAccepted(trader, { ...CANCEL, order_uuid: first })).toMatchObject({
        status: "cancelled",
        order_uuid: first,
        order: null,
      });
      expect(await pending()).toEqual([second, third, fourth].toSorted());
      await expectAccepted(trader, { ...CANCEL, order_uuid: `${second},${third}` });
      expect(await pending()).toEqual([fourth]);
      await expectAccepted(trader, { ...CANCEL, order_uuid: "ALL" });
      expect(await pending()).toEqual([]);
    },
  },
  {
    title: "FLAT_ALL closes all positions and leaves pending entries",
    async run(trader) {
      const { btc, eth } = trader.pairs;
      await expectAccepted(trader, marketTrade(btc, "LONG", { quantity: 0.2 }));
      await expectAccepted(trader, marketTrade(eth, "SHORT", { quantity: 2 }));
      const { order_uuid } = await expectAccepted(trader, limitTrade(eth, 2_000));
      expect(await expectAccepted(trader, CLOSED)).toMatchObject({
        status: "flattened",
        order: null,
      });
      expect(await readEndpoint(trader, "positions")).toEqual([]);
      expect(await readEndpoint(trader, "orders")).toMatchObject([{ orderUuid: order_uuid }]);
      expect(await tradedPairs(trader)).toEqual([btc, eth].toSorted());
    },
  },
  {
    title: "FLAT_ALL with a position's id closes only that position",
    async run(trader) {
      const { btc, eth } = trader.pairs;
      const first = await expectAccepted(trader, marketTrade(btc, "LONG", { quantity: 0.2 }));
      await expectAccepted(trader, marketTrade(eth, "LONG", { quantity: 2 }));
      await expectAccepted(trader, { ...CLOSED, order_uuid: first.order_uuid });
      expect(await readEndpoint(trader, "positions")).toMatchObject([{ tradePair: eth }]);
    },
  },
  {
    title: "an order beyond a cap fills up to the cap and names it",
    async run(trader) {
      const placed = await expectAccepted(
        trader,
        marketTrade(trader.pairs.btc, "LONG", { value: 200_000 }),
      );
      expect(placed).toMatchObject({ order: { bindingCap: expect.stringMatching(/cap|power/) } });
      const [position] = (await readEndpoint(trader, "positions")) as readonly {
        readonly netValue: number;
      }[];
      expect(position?.netValue).toBeGreaterThan(149_000);
      expect(position?.netValue).toBeLessThanOrEqual(150_000);
    },
  },
  {
    title: "a request that is sent twice is one order",
    async run(trader) {
      const order = marketTrade(trader.pairs.btc, "LONG", { quantity: 0.1 });
      const replies = await Promise.all([
        sendOrder(trader, order, "sent-twice"),
        sendOrder(trader, order, "sent-twice"),
      ]);
      expect(replies.map(({ status }) => status).toSorted((one, other) => one - other)).toEqual([
        200, 409,
      ]);
      expect(await readEndpoint(trader, "positions")).toMatchObject([{ netQuantity: 0.1 }]);
    },
  },
];

async function tradedPairs(trader: Trader): Promise<readonly string[]> {
  const trades = (await readEndpoint(trader, "trades")) as readonly {
    readonly tradePair: string;
  }[];
  return trades.map(({ tradePair }) => tradePair).toSorted();
}

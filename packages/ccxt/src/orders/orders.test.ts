import ccxt, { type Exchange } from "ccxt";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import {
  CATALOGUE,
  type Harness,
  openHarness,
  START_MS,
} from "../../../server/src/testing/harness.ts";
import { madeInstrument } from "../../../server/src/testing/made-instrument.ts";
import { expectShape } from "../testing/ccxt-shapes.ts";
import { liveExchange } from "../testing/live-exchange.ts";

const BTC = "BTC/USD:USD";
const EUR = "EUR/USD:USD";

let service: Harness;
let exchange: Exchange;
beforeAll(async () => {
  const yen = madeInstrument("USDJPY", { assetClass: "forex", lotSize: 100_000 });
  const instruments = new Map([...CATALOGUE, [yen.id, yen]]);
  service = await openHarness({ seed: "ccxt-orders", instruments });
});
afterAll(() => service.close());
beforeEach(async () => {
  await service.quote("BTCUSD", 50_000, 50_000);
  await service.quote("EURUSD", 1.1, 1.1);
  const signer = await service.newKey({ accountId: await service.newAccount() });
  exchange = liveExchange(service, { signer });
});

describe("a market order", () => {
  test("fills, in contracts, at the price and fee that the service counts", async () => {
    const order = await exchange.createOrder(BTC, "market", "buy", 0.5);
    expectShape("order", order);
    expect(order).toMatchObject({
      ...{ symbol: BTC, type: "market", side: "buy", status: "closed", timestamp: START_MS },
      ...{ amount: 0.5, filled: 0.5, remaining: 0, average: 50_000, price: 50_000, cost: 25_000 },
      fee: { currency: "USD", cost: 7.5 },
    });
    const position = await exchange.fetchPosition(BTC);
    expectShape("position", position);
    expect(position).toMatchObject({
      ...{ side: "long", contracts: 0.5, contractSize: 1, entryPrice: 50_000, notional: 25_000 },
      ...{ marginMode: "cross", hedged: false },
    });
  });

  test("of 0.5 lots is 50,000 euros, whose cost ccxt counts by the contract's size", async () => {
    const order = await exchange.createOrder(EUR, "market", "sell", 0.5);
    expect(order).toMatchObject({ amount: 0.5, filled: 0.5, cost: 55_000, side: "sell" });
    const [position] = await exchange.fetchPositions([EUR]);
    expect(position).toMatchObject({ side: "short", contracts: 0.5, contractSize: 100_000 });
  });

  test("is sized by cost, value or leverage as well, but by one of them only", async () => {
    const byCost = await exchange.createMarketOrderWithCost(BTC, "buy", 10_000);
    expect(byCost).toMatchObject({ filled: 0.2, side: "buy" });
    const byLeverage = { leverage: 0.1 };
    const order = await exchange.createOrder(BTC, "market", "buy", 0, undefined, byLeverage);
    expect(order.cost).toBeCloseTo(10_000, -1);
    await expect(
      exchange.createOrder(BTC, "market", "buy", 1, undefined, byLeverage),
    ).rejects.toThrow(/multiple of the balance/);
  });

  test("with a stop and a target is protected from the fill on", async () => {
    const params = { stopLoss: { triggerPrice: 49_000 }, takeProfit: { triggerPrice: 52_000 } };
    const order = await exchange.createOrder(BTC, "market", "buy", 0.5, undefined, params);
    expect(order).toMatchObject({ stopLossPrice: 49_000, takeProfitPrice: 52_000 });
    const [leg] = await exchange.fetchOpenOrders(BTC);
    expectShape("order", leg);
    expect(leg).toMatchObject({
      ...{ type: "market", side: "sell", reduceOnly: true, status: "open" },
      ...{ stopLossPrice: 49_000, takeProfitPrice: 52_000 },
    });
    await service.quote("BTCUSD", 48_900, 48_910);
    expect(await exchange.fetchPosition(BTC)).toMatchObject({ contracts: 0 });
  });

  test("that a cap reduces reports the rest", async () => {
    const order = await exchange.createOrder(BTC, "market", "buy", 10);
    expect(order.filled).toBeLessThan(10);
    expect((order.filled ?? 0) + (order.remaining ?? 0)).toBeCloseTo(10, 6);
    expect(order.status).toBe("closed");
    await expect(exchange.createOrder(BTC, "market", "buy", 10)).rejects.toBeInstanceOf(
      ccxt.InsufficientFunds,
    );
  });
});

describe("pending orders", () => {
  test("a limit is open, edited with its stop kept, and cancelled", async () => {
    const params = { stopLoss: { triggerPrice: 48_000 } };
    const order = await exchange.createOrder(BTC, "limit", "buy", 0.5, 49_000, params);
    expectShape("order", order);
    expect(order).toMatchObject({ status: "open", price: 49_000, amount: 0.5, filled: 0 });
    const edited = await exchange.editOrder(order.id ?? "", BTC, "limit", "buy", undefined, 49_500);
    expect(edited).toMatchObject({
      id: order.id,
      price: 49_500,
      amount: 0.5,
      stopLossPrice: 48_000,
    });
    expect(await exchange.fetchOpenOrders()).toMatchObject([
      { id: order.id, price: 49_500, stopLossPrice: 48_000 },
    ]);
    expect(await exchange.fetchOrder(order.id ?? "")).toMatchObject({ status: "open" });
    const cancelled = await exchange.cancelOrder(order.id ?? "");
    expect(cancelled).toMatchObject({ id: order.id, status: "canceled" });
    await expect(exchange.cancelOrder(order.id ?? "")).rejects.toBeInstanceOf(ccxt.OrderNotFound);
    await expect(exchange.fetchOrder(order.id ?? "")).rejects.toBeInstanceOf(ccxt.OrderNotFound);
  });

  test("a stop-limit buys a rising price and sells a falling one", async () => {
    const buy = await exchange.createStopLimitOrder(BTC, "buy", 0.1, 51_100, 51_000);
    const sell = await exchange.createStopLimitOrder(BTC, "sell", 0.1, 48_900, 49_000);
    expect([buy, sell]).toMatchObject([
      { type: "limit", triggerPrice: 51_000, info: { order: { stopCondition: "GTE" } } },
      { type: "limit", triggerPrice: 49_000, info: { order: { stopCondition: "LTE" } } },
    ]);
    expect(await exchange.cancelAllOrders(BTC)).toHaveLength(2);
    expect(await exchange.fetchOpenOrders()).toEqual([]);
  });

  test.each([
    ["stopLossPrice", { stopLossPrice: 49_000 }, { stopLossPrice: 49_000 }],
    ["takeProfitPrice", { takeProfitPrice: 52_000 }, { takeProfitPrice: 52_000 }],
    ["trailingPercent", { trailingPercent: 2 }, { info: { trailingPercent: 0.02 } }],
    ["trailingAmount", { trailingAmount: 500 }, { info: { trailingValue: 500 } }],
    ["a limit that only reduces", null, { takeProfitPrice: 53_000 }],
  ])("on a position: %s", async (_, params, expected) => {
    await exchange.createOrder(BTC, "market", "buy", 0.5);
    const placed =
      params === null
        ? await exchange.createReduceOnlyOrder(BTC, "limit", "sell", 0.2, 53_000)
        : await exchange.createOrder(BTC, "market", "sell", 0.2, undefined, params);
    expect(placed).toMatchObject({ reduceOnly: true, status: "open", side: "sell" });
    expect(await exchange.fetchOpenOrders(BTC)).toMatchObject([
      { id: placed.id, amount: 0.2, side: "sell", reduceOnly: true, ...expected },
    ]);
    await expect(
      exchange.createOrder(BTC, "market", "buy", 0.2, undefined, { stopLossPrice: 49_000 }),
    ).rejects.toThrow(/does not close the LONG/);
  });
});

describe("an edit keeps the fields that it does not name", () => {
  test("of an entry the size that is no amount, and its stop", async () => {
    const params = { value: 10_000, stopLoss: { triggerPrice: 48_000 } };
    const { id = "" } = await exchange.createOrder(BTC, "limit", "buy", 0, 49_000, params);
    const target = { takeProfit: { triggerPrice: 53_000 } };
    await exchange.editOrder(id, BTC, "limit", "buy", undefined, undefined, target);
    expect(await exchange.fetchOpenOrders()).toMatchObject([
      {
        ...{ id, price: 49_000, stopLossPrice: 48_000, takeProfitPrice: 53_000 },
        info: { value: 10_000 },
      },
    ]);
  });

  test("of a stop-limit its stop and side of it", async () => {
    const { id = "" } = await exchange.createStopLimitOrder(BTC, "buy", 0.1, 51_100, 51_000);
    await exchange.editOrder(id, BTC, "limit", "buy", 0.2, 51_200);
    expect(await exchange.fetchOpenOrders()).toMatchObject([
      { id, amount: 0.2, price: 51_200, triggerPrice: 51_000, info: { stopCondition: "GTE" } },
    ]);
  });

  test("of a leg the other level and the size", async () => {
    const levels = { stopLoss: { triggerPrice: 49_000 }, takeProfit: { triggerPrice: 52_000 } };
    await exchange.createOrder(BTC, "market", "buy", 0.5, undefined, levels);
    const [leg] = await exchange.fetchOpenOrders(BTC);
    const id = leg?.id ?? "";
    const closer = { stopLossPrice: 49_500 };
    await exchange.editOrder(id, BTC, "market", "sell", undefined, undefined, closer);
    expect(await exchange.fetchOpenOrders(BTC)).toMatchObject([
      { id, stopLossPrice: 49_500, takeProfitPrice: 52_000 },
    ]);
    await expect(
      exchange.editOrder(id, BTC, "market", "buy", undefined, undefined, closer),
    ).rejects.toThrow(/stays one/);
  });

  test("all legs that another client attached stay, and none of them can be changed alone", async () => {
    const legs = [{ stop_loss: 48_000, bracket_pct: 0.5 }, { take_profit: 53_000 }];
    const entry = {
      execution_type: "LIMIT",
      trade_pair: "BTCUSD",
      order_type: "LONG",
      quantity: 1,
    };
    const trade = { ...entry, limit_price: 49_000, reduce_only: false, bracket_orders: legs };
    await exchange.loadMarkets();
    const { data } = await exchange.privatePostTradingOrders({ trade });
    const edit = (params: object) =>
      exchange.editOrder(data.order_uuid, BTC, "limit", "buy", undefined, 49_500, { ...params });
    await edit({});
    expect(await exchange.fetchOpenOrders()).toMatchObject([
      {
        price: 49_500,
        amount: 1,
        info: { bracketOrders: [{ stopLoss: 48_000, bracketPct: 0.5 }, { takeProfit: 53_000 }] },
      },
    ]);
    await expect(edit({ stopLoss: { triggerPrice: 47_000 } })).rejects.toThrow(/has 2 legs/);
    await expect(edit({ triggerPrice: 51_000 })).rejects.toThrow(/does not take .*triggerPrice/);
  });

  test("of an order that is gone there is nothing to edit", async () => {
    await expect(exchange.editOrder("gone", BTC, "limit", "buy", 1, 49_000)).rejects.toBeInstanceOf(
      ccxt.OrderNotFound,
    );
  });
});

describe("ccxt's own short forms", () => {
  test("place the orders that they name", async () => {
    await exchange.createOrderWithTakeProfitAndStopLoss(
      ...([BTC, "market", "buy", 0.5, undefined, 52_000, 49_000] as const),
    );
    await exchange.createStopLossOrder(BTC, "market", "sell", 0.1, undefined, 48_500);
    await exchange.createTakeProfitOrder(BTC, "market", "sell", 0.1, undefined, 53_000);
    await exchange.createTrailingPercentOrder(BTC, "market", "sell", 0.1, undefined, 3);
    await exchange.createTriggerOrder(BTC, "limit", "buy", 0.1, 51_100, 51_000);
    const found = await exchange.fetchOpenOrders(BTC);
    const shown = found.map((one) => [one.side, one.stopLossPrice, one.takeProfitPrice]);
    expect(shown).toHaveLength(5);
    expect(shown).toEqual(
      expect.arrayContaining([
        ["sell", 49_000, 52_000],
        ["sell", 48_500, undefined],
        ["sell", undefined, 53_000],
        ["sell", undefined, undefined],
        ["buy", undefined, undefined],
      ]),
    );
  });
});

describe("closing orders", () => {
  test("reduceOnly never opens: more than the position closes it, without one it is refused", async () => {
    const reduceOnly = { reduceOnly: true };
    const sell = (amount: number) =>
      exchange.createOrder(BTC, "market", "sell", amount, undefined, reduceOnly);
    await expect(sell(0.1)).rejects.toBeInstanceOf(ccxt.InvalidOrder);
    await exchange.createOrder(BTC, "market", "buy", 0.5);
    expect(await sell(0.2)).toMatchObject({ filled: 0.2, reduceOnly: true });
    expect(await sell(5)).toMatchObject({ filled: 0.3, side: "sell", status: "closed" });
    expect(await exchange.fetchPositions()).toEqual([]);
  });

  test("closePosition and closeAllPositions", async () => {
    await exchange.createOrder(BTC, "market", "buy", 0.5);
    await exchange.createOrder(EUR, "market", "sell", 0.5);
    await expect(exchange.closePosition(BTC, "short")).rejects.toThrow(/is long/);
    expect(await exchange.closePosition(BTC)).toMatchObject({ side: "sell", filled: 0.5 });
    expect(await exchange.closeAllPositions()).toMatchObject([{ symbol: EUR }]);
    expect(await exchange.fetchPositions()).toEqual([]);
    await expect(exchange.closePosition(BTC)).rejects.toThrow(/no open position/);
  });

  test("the past is an entry and an exit for each round trip", async () => {
    await exchange.createOrder(BTC, "market", "buy", 0.5);
    await service.quote("BTCUSD", 51_000, 51_000);
    await exchange.closePosition(BTC);
    const trades = await exchange.fetchMyTrades(BTC);
    for (const trade of trades) expectShape("trade", trade);
    expect(trades).toMatchObject([
      { side: "buy", price: 50_000, amount: 0.5, cost: 25_000 },
      { side: "sell", price: 51_000, amount: 0.5, cost: 25_500, fee: { cost: 15.15 } },
    ]);
    const orders = await exchange.fetchClosedOrders(BTC);
    for (const order of orders) expectShape("order", order);
    expect(orders).toMatchObject([
      { side: "buy", average: 50_000, filled: 0.5, status: "closed" },
      { side: "sell", average: 51_000, filled: 0.5, status: "closed" },
    ]);
    expect(await exchange.fetchMyTrades(EUR)).toEqual([]);
    expect(await exchange.fetchPositionsHistory([BTC])).toMatchObject([
      { side: "long", contracts: 0.5, realizedPnl: 500 },
    ]);
  });
});

describe("an invalid order is refused before it is sent, with its field", () => {
  test.each([
    ["an unknown parameter", "market", 1, { stoploss: 1 }, ccxt.NotSupported, /params\.stoploss/],
    ["a limit without a price", "limit", 1, {}, ccxt.InvalidOrder, /price/],
    ["a stop at the market", "market", 1, { triggerPrice: 1 }, ccxt.NotSupported, /triggerPrice/],
    ["post-only", "limit", 1, { postOnly: true }, ccxt.NotSupported, /postOnly/],
    ["fill or kill", "limit", 1, { timeInForce: "FOK" }, ccxt.NotSupported, /timeInForce/],
    [
      "a price that is none",
      "market",
      1,
      { stopLossPrice: "x" },
      ccxt.InvalidOrder,
      /stopLossPrice/,
    ],
    ["a stop that is no object", "market", 1, { stopLoss: 5 }, ccxt.InvalidOrder, /triggerPrice/],
    [
      "a stop with a limit",
      "market",
      1,
      { stopLoss: { triggerPrice: 1, price: 1 } },
      ccxt.NotSupported,
      /stopLoss\.price/,
    ],
    ["less than a step", "market", 0.000001, {}, ccxt.InvalidOrder, /precision/],
    ["no size", "market", 0, {}, ccxt.ArgumentsRequired, /amount/],
    ["a size below 0", "market", -1, {}, ccxt.InvalidOrder, /amount/],
    ["two sizes", "market", 0, { cost: 1, leverage: 1 }, ccxt.InvalidOrder, /another size/],
    ["another margin", "market", 1, { marginMode: "isolated" }, ccxt.NotSupported, /marginMode/],
  ])("%s", async (...[, type, amount, params, ErrorClass, text]) => {
    const error: unknown = await exchange
      .createOrder(BTC, type, "buy", amount, undefined, params)
      .catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(ErrorClass);
    expect(String(error)).toMatch(text);
    expect(await exchange.fetchPositions()).toEqual([]);
  });

  test("a cost that would not be dollars", async () => {
    const placed = exchange.createMarketOrderWithCost("USD/JPY:USD", "buy", 100_000);
    await expect(placed).rejects.toThrow(/in JPY/);
  });
});

import ccxt, { type Exchange } from "ccxt";
import { beforeAll, beforeEach, describe, expect, test } from "vitest";
import {
  CATALOGUE,
  type Harness,
  openHarness,
  START_MS,
} from "../../../server/src/testing/harness.ts";
import { madeInstrument } from "../../../server/src/testing/made-instrument.ts";
import { expectShape } from "../testing/ccxt-shapes.ts";
import { createLiveExchange } from "../testing/live-exchange.ts";

const BTC = "BTC/USD:USD";
const EUR = "EUR/USD:USD";

let service: Harness;
let exchange: Exchange;
beforeAll(async () => {
  const yen = madeInstrument("USDJPY", { assetClass: "forex", lotSize: 100_000 });
  const instruments = new Map([...CATALOGUE, [yen.id, yen]]);
  service = await openHarness({ seed: "ccxt-orders", instruments });
  return () => service.close();
});
beforeEach(async () => {
  await service.quote("BTCUSD", 50_000, 50_000);
  await service.quote("EURUSD", 1.1, 1.1);
  const signer = await service.newKey({ accountId: await service.newAccount() });
  exchange = createLiveExchange(service, { signer });
});

describe("a market order", () => {
  test("a market order fills in contracts, at the service's price and fee", async () => {
    const order = await exchange.createOrder(BTC, "market", "buy", 0.5);
    expectShape("order", order);
    expect(order).toMatchObject({
      symbol: BTC,
      type: "market",
      side: "buy",
      status: "closed",
      timestamp: START_MS,
      amount: 0.5,
      filled: 0.5,
      remaining: 0,
      average: 50_000,
      price: 50_000,
      cost: 25_000,
      fee: { currency: "USD", cost: 7.5 },
    });
    const position = await exchange.fetchPosition(BTC);
    expectShape("position", position);
    expect(position).toMatchObject({
      side: "long",
      contracts: 0.5,
      contractSize: 1,
      entryPrice: 50_000,
      notional: 25_000,
      marginMode: "cross",
      hedged: false,
    });
  });

  test("0.5 lots of EUR/USD are 50,000 euros, and ccxt computes the cost from the contract size", async () => {
    const order = await exchange.createOrder(EUR, "market", "sell", 0.5);
    expect(order).toMatchObject({ amount: 0.5, filled: 0.5, cost: 55_000, side: "sell" });
    const [position] = await exchange.fetchPositions([EUR]);
    expect(position).toMatchObject({ side: "short", contracts: 0.5, contractSize: 100_000 });
  });

  test("a market order is sized by amount, cost, value or leverage, but only by one of them", async () => {
    const byCost = await exchange.createMarketOrderWithCost(BTC, "buy", 10_000);
    expect(byCost).toMatchObject({ filled: 0.2, side: "buy" });
    const byLeverage = { leverage: 0.1 };
    const order = await exchange.createOrder(BTC, "market", "buy", 0, undefined, byLeverage);
    expect(order.cost).toBeCloseTo(10_000, -1);
    await expect(
      exchange.createOrder(BTC, "market", "buy", 1, undefined, byLeverage),
    ).rejects.toThrow(/multiple of the balance/);
  });

  test("a stop and a target protect a market order from its fill on", async () => {
    const params = { stopLoss: { triggerPrice: 49_000 }, takeProfit: { triggerPrice: 52_000 } };
    const order = await exchange.createOrder(BTC, "market", "buy", 0.5, undefined, params);
    expect(order).toMatchObject({ stopLossPrice: 49_000, takeProfitPrice: 52_000 });
    const [leg] = await exchange.fetchOpenOrders(BTC);
    expectShape("order", leg);
    expect(leg).toMatchObject({
      type: "market",
      side: "sell",
      reduceOnly: true,
      status: "open",
      stopLossPrice: 49_000,
      takeProfitPrice: 52_000,
    });
    await service.quote("BTCUSD", 48_900, 48_910);
    expect(await exchange.fetchPosition(BTC)).toMatchObject({ contracts: 0 });
  });

  test("an order that a cap reduces reports the rest, also when it is read later", async () => {
    const order = await exchange.createOrder(BTC, "market", "buy", 10);
    expect(order.filled).toBeLessThan(10);
    expect((order.filled ?? 0) + (order.remaining ?? 0)).toBeCloseTo(10, 6);
    expect(order.status).toBe("closed");
    const { amount, filled, remaining } = order;
    expect(await exchange.fetchOrder(order.id ?? "")).toMatchObject({ amount, filled, remaining });
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
    // Ids compare without case.
    const id = order.id?.toUpperCase() ?? "";
    const edited = await exchange.editOrder(id, BTC, "limit", "buy", undefined, 49_500);
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
    const past = await exchange.fetchOrder(order.id ?? "");
    expectShape("order", past);
    expect(past).toMatchObject({ status: "canceled", filled: 0, remaining: 0.5, price: 49_500 });
    expect(await exchange.fetchCanceledOrders(BTC)).toMatchObject([{ id: order.id }]);
    await expect(exchange.fetchOrder("nothing")).rejects.toBeInstanceOf(ccxt.OrderNotFound);
  });

  test("the usual loop that polls until an order is closed ends with its fill", async () => {
    const order = await exchange.createOrder(BTC, "limit", "buy", 0.5, 49_000);
    expect((await exchange.fetchOrder(order.id ?? "")).status).toBe("open");
    await service.quote("BTCUSD", 48_900, 48_900);
    const filled = await exchange.fetchOrder(order.id ?? "");
    expectShape("order", filled);
    expect(filled).toMatchObject({
      status: "closed",
      side: "buy",
      type: "limit",
      filled: 0.5,
      remaining: 0,
      average: 48_900,
      price: 49_000,
      fee: { cost: 7.335 },
    });
    expect(await exchange.fetchOpenOrders()).toEqual([]);
    expect(await exchange.fetchOrders(BTC)).toMatchObject([{ id: order.id, status: "closed" }]);
    const [trade] = await exchange.fetchMyTrades(BTC);
    expect(trade).toMatchObject({ order: order.id, price: 48_900, amount: 0.5, side: "buy" });
  });

  test("a limit order that fills when it is placed is found as closed", async () => {
    const order = await exchange.createOrder(BTC, "limit", "buy", 0.1, 51_000);
    await service.quote("BTCUSD", 50_000, 50_000);
    expect(await exchange.fetchOrder(order.id ?? "")).toMatchObject({
      status: "closed",
      filled: 0.1,
      average: 50_000,
    });
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
  ])("a leg is placed on a position: %s", async (_, params, expected) => {
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

describe("an order has the same fields from every method", () => {
  const own = { clientOrderId: "grid-1" };

  test("an order keeps the clientOrderId of its placing in edits, lists and other programs", async () => {
    const { id = "" } = await exchange.createOrder(BTC, "limit", "buy", 0.5, 49_000, own);
    const edited = await exchange.editOrder(id, BTC, "limit", "buy", undefined, 49_500);
    expect(edited.clientOrderId).toBe("grid-1");
    expect(await exchange.fetchOpenOrders()).toMatchObject([{ id, ...own }]);
    const other = createLiveExchange(service, {
      signer: { keyId: exchange.apiKey, secret: exchange.secret },
    });
    expect(await other.fetchOpenOrders()).toMatchObject([{ id, ...own }]);
    expect(await other.editOrder(id, BTC, "limit", "buy", undefined, 49_600)).toMatchObject(own);
    expect(await other.fetchOrder(id)).toMatchObject({ id, ...own, price: 49_600 });
  });

  test("cancelled orders are returned whole, one as well as several", async () => {
    const { id = "" } = await exchange.createOrder(BTC, "limit", "buy", 0.5, 49_000, own);
    const cancelled = await exchange.cancelOrder(id);
    expectShape("order", cancelled);
    expect(cancelled).toEqual(await exchange.fetchOrder(id));
    expect(cancelled).toMatchObject({ ...own, symbol: BTC, side: "buy", price: 49_000 });
    for (const price of [48_000, 47_000])
      await exchange.createOrder(BTC, "limit", "buy", 0.1, price);
    const all = await exchange.cancelAllOrders();
    expect(all).toMatchObject([{ status: "canceled" }, { status: "canceled" }]);
    expect(new Set(all.map(({ price }) => price))).toEqual(new Set([47_000, 48_000]));
  });

  test("an order's fills are found by its id", async () => {
    const { id = "" } = await exchange.createOrder(BTC, "market", "buy", 0.5);
    await exchange.createOrder(BTC, "market", "buy", 0.1);
    const [trade, ...others] = await exchange.fetchOrderTrades(id);
    expectShape("trade", trade);
    expect([trade, others]).toMatchObject([{ order: id, amount: 0.5 }, []]);
    await expect(exchange.fetchOrderTrades("nothing")).rejects.toBeInstanceOf(ccxt.OrderNotFound);
  });

  test("a position has the mark that its PnL is computed with, and its value as a multiple of the balance", async () => {
    await exchange.createOrder(BTC, "market", "buy", 0.5);
    await exchange.createOrder(EUR, "market", "sell", 0.5);
    await service.quote("BTCUSD", 50_400, 50_500);
    await service.quote("EURUSD", 1.0999, 1.1005);
    const [btc, eur] = await exchange.fetchPositions([BTC, EUR]);
    expect([btc?.markPrice, eur?.markPrice]).toEqual([50_400, 1.1005]);
    expect(btc?.leverage).toBeCloseTo(25_200 / 99_976, 4);
    expect([btc?.initialMargin, btc?.collateral, btc?.percentage]).toEqual([
      undefined,
      undefined,
      undefined,
    ]);
  });
});

describe("an edit keeps the fields that it does not name", () => {
  test("an edit of an entry keeps its size by value, and its stop", async () => {
    const params = { value: 10_000, stopLoss: { triggerPrice: 48_000 } };
    const { id = "" } = await exchange.createOrder(BTC, "limit", "buy", 0, 49_000, params);
    const target = { takeProfit: { triggerPrice: 53_000 } };
    await exchange.editOrder(id, BTC, "limit", "buy", undefined, undefined, target);
    expect(await exchange.fetchOpenOrders()).toMatchObject([
      {
        id,
        price: 49_000,
        stopLossPrice: 48_000,
        takeProfitPrice: 53_000,
        info: { value: 10_000 },
      },
    ]);
  });

  test("an edit of a stop-limit keeps its stop price and condition", async () => {
    const { id = "" } = await exchange.createStopLimitOrder(BTC, "buy", 0.1, 51_100, 51_000);
    await exchange.editOrder(id, BTC, "limit", "buy", 0.2, 51_200);
    expect(await exchange.fetchOpenOrders()).toMatchObject([
      { id, amount: 0.2, price: 51_200, triggerPrice: 51_000, info: { stopCondition: "GTE" } },
    ]);
  });

  test("an edit of a leg keeps its other level and its size", async () => {
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

  test("an edit of an order that is no longer pending throws OrderNotFound", async () => {
    await expect(exchange.editOrder("gone", BTC, "limit", "buy", 1, 49_000)).rejects.toBeInstanceOf(
      ccxt.OrderNotFound,
    );
  });
});

describe("ccxt's own short forms", () => {
  test("ccxt's short forms place the orders that they name", async () => {
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
  test("reduceOnly never opens: a larger size closes the position, and without a position it is rejected", async () => {
    const reduceOnly = { reduceOnly: true };
    const sell = (amount: number) =>
      exchange.createOrder(BTC, "market", "sell", amount, undefined, reduceOnly);
    await expect(sell(0.1)).rejects.toBeInstanceOf(ccxt.InvalidOrder);
    await exchange.createOrder(BTC, "market", "buy", 0.5);
    expect(await sell(0.2)).toMatchObject({ filled: 0.2, reduceOnly: true });
    expect(await sell(5)).toMatchObject({ filled: 0.3, side: "sell", status: "closed" });
    expect(await exchange.fetchPositions()).toEqual([]);
    await expect(sell(0.1)).rejects.toThrow(/needs an open position/);
  });

  test("reduceOnly orders that are placed at once close at most what is open [D12.marketReduces]", async () => {
    const reduceOnly = { reduceOnly: true };
    await exchange.createOrder(BTC, "market", "buy", 0.1);
    const sent = [1, 2, 3].map(() =>
      exchange.createOrder(BTC, "market", "sell", 0.06, undefined, reduceOnly),
    );
    const filled = new Set<unknown>();
    for (const one of await Promise.allSettled(sent)) {
      if (one.status === "fulfilled") filled.add(one.value.filled);
      else expect(one.reason).toBeInstanceOf(ccxt.InvalidOrder);
    }
    expect(filled).toEqual(new Set([0.04, 0.06]));
    expect(await exchange.fetchPositions()).toEqual([]);
    await exchange.createOrder(BTC, "market", "buy", 0.1);
    const larger = await exchange.createOrder(BTC, "market", "sell", 0.3, undefined, reduceOnly);
    // In binary arithmetic 0.3 - 0.1 is 0.19999999999999998.
    expect(larger).toMatchObject({ filled: 0.1, remaining: 0.2 });
    await exchange.createOrder(BTC, "market", "buy", 0.1);
    const byCost = { ...reduceOnly, cost: 1_000 };
    expect(
      await exchange.createOrder(BTC, "market", "sell", undefined as never, undefined, byCost),
    ).toMatchObject({ filled: 0.02, reduceOnly: true });
    const whole = await exchange.createOrder(
      BTC,
      "market",
      "sell",
      undefined as never,
      undefined,
      reduceOnly,
    );
    expect(whole).toMatchObject({ filled: 0.08 });
    expect(await exchange.fetchPositions()).toEqual([]);
  });

  test("closePosition closes one position and closeAllPositions the others", async () => {
    await exchange.createOrder(BTC, "market", "buy", 0.5);
    await exchange.createOrder(EUR, "market", "sell", 0.5);
    await expect(exchange.closePosition(BTC, "short")).rejects.toThrow(/is long/);
    expect(await exchange.closePosition(BTC)).toMatchObject({ side: "sell", filled: 0.5 });
    expect(await exchange.closeAllPositions()).toMatchObject([{ symbol: EUR }]);
    expect(await exchange.fetchPositions()).toEqual([]);
    await expect(exchange.closePosition(BTC)).rejects.toThrow(/no open position/);
  });

  test("each fill is a trade of its order, and each filled order is closed", async () => {
    const order = await exchange.createOrder(BTC, "market", "buy", 0.5);
    await service.quote("BTCUSD", 51_000, 51_000);
    await exchange.closePosition(BTC);
    const trades = await exchange.fetchMyTrades(BTC);
    for (const trade of trades) expectShape("trade", trade);
    expect(trades).toMatchObject([
      {
        side: "buy",
        price: 50_000,
        amount: 0.5,
        cost: 25_000,
        order: order.id,
        fee: { cost: 7.5 },
      },
      { side: "sell", price: 51_000, amount: 0.5, cost: 25_500, fee: { cost: 7.65 } },
    ]);
    const orders = await exchange.fetchClosedOrders(BTC);
    for (const one of orders) expectShape("order", one);
    expect(orders).toMatchObject([
      { id: order.id, side: "buy", average: 50_000, filled: 0.5, status: "closed" },
      { side: "sell", average: 51_000, filled: 0.5, status: "closed", reduceOnly: true },
    ]);
    expect(await exchange.fetchClosedOrders(BTC, undefined, 1)).toHaveLength(1);
    expect(await exchange.fetchMyTrades(EUR)).toEqual([]);
    expect(await exchange.fetchPositionsHistory([BTC])).toMatchObject([
      { side: "long", contracts: 0.5, realizedPnl: 500 },
    ]);
  });
});

describe("an invalid order is rejected before it is sent", () => {
  test.each([
    [
      "an unknown parameter",
      { type: "market", amount: 1, params: { stoploss: 1 } },
      ccxt.NotSupported,
      /params\.stoploss/,
    ],
    [
      "a limit without a price",
      { type: "limit", amount: 1, params: {} },
      ccxt.InvalidOrder,
      /price/,
    ],
    [
      "a stop at the market",
      { type: "market", amount: 1, params: { triggerPrice: 1 } },
      ccxt.NotSupported,
      /triggerPrice/,
    ],
    [
      "post-only",
      { type: "limit", amount: 1, params: { postOnly: true } },
      ccxt.NotSupported,
      /postOnly/,
    ],
    [
      "fill or kill",
      { type: "limit", amount: 1, params: { timeInForce: "FOK" } },
      ccxt.NotSupported,
      /timeInForce/,
    ],
    [
      "a price that is none",
      { type: "market", amount: 1, params: { stopLossPrice: "x" } },
      ccxt.InvalidOrder,
      /stopLossPrice/,
    ],
    [
      "a stop that is no object",
      { type: "market", amount: 1, params: { stopLoss: 5 } },
      ccxt.InvalidOrder,
      /triggerPrice/,
    ],
    [
      "a stop with a limit",
      { type: "market", amount: 1, params: { stopLoss: { triggerPrice: 1, price: 1 } } },
      ccxt.NotSupported,
      /stopLoss\.price/,
    ],
    [
      "less than a step",
      { type: "market", amount: 0.000001, params: {} },
      ccxt.InvalidOrder,
      /precision/,
    ],
    ["no size", { type: "market", amount: 0, params: {} }, ccxt.ArgumentsRequired, /amount/],
    ["a size below 0", { type: "market", amount: -1, params: {} }, ccxt.InvalidOrder, /amount/],
    [
      "two sizes",
      { type: "market", amount: 0, params: { cost: 1, leverage: 1 } },
      ccxt.InvalidOrder,
      /another size/,
    ],
    [
      "another margin",
      { type: "market", amount: 1, params: { marginMode: "isolated" } },
      ccxt.NotSupported,
      /marginMode/,
    ],
  ])("an order is rejected before it is sent: %s", async (_, order, ErrorClass, text) => {
    const { type, amount, params } = order;
    const error: unknown = await exchange
      .createOrder(BTC, type, "buy", amount, undefined, params)
      .catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(ErrorClass);
    expect(String(error)).toMatch(text);
    expect(await exchange.fetchPositions()).toEqual([]);
  });

  test("a cost that is not in dollars is rejected", async () => {
    const placed = exchange.createMarketOrderWithCost("USD/JPY:USD", "buy", 100_000);
    await expect(placed).rejects.toThrow(/in JPY/);
  });
});

import ccxt, { type Exchange } from "ccxt";
import { beforeAll, describe, expect, test } from "vitest";
import { pairId, price, unixMs } from "../../core/src/index.ts";
import { createMemoryCandles } from "../../market/src/prices/candles/memory-candles.ts";
import { type Harness, openHarness, START_MS } from "../../server/src/testing/harness.ts";
import { createLiveExchange } from "./testing/live-exchange.ts";

const BTC = "BTC/USD:USD";
/** Enough orders with enough legs, and enough candles, that each list needs more than one answer. */
const ORDERS = 130;
const CANDLES = 1_500;
const LEGS = Array.from({ length: 10 }, (_, at) => ({ stop_loss: 30_000 + at, quantity: 0.001 }));
const BID = {
  execution_type: "LIMIT",
  trade_pair: "BTCUSD",
  order_type: "LONG",
  quantity: 0.1,
  limit_price: 40_000,
  bracket_orders: LEGS,
};
const CANDLE = "candles?tradePair=BTCUSD&interval=1m&limit=1";
const CANCEL = { execution_type: "LIMIT_CANCEL", order_uuid: "ALL" };

describe("lists that do not fit into one answer of the service [D13.answerBytes]", () => {
  let service: Harness;
  let exchange: Exchange;

  beforeAll(async () => {
    const candles = createMemoryCandles();
    for (let minute = 0; minute < CANDLES; minute += 1) {
      const atMs = unixMs(START_MS + minute * 60_000);
      const [bid, ask] = [price(50_000.12345 + minute), price(50_001.54321 + minute)];
      candles.addQuote({ pair: pairId("BTCUSD"), bid, ask, atMs, receivedAtMs: atMs });
    }
    service = await openHarness({ seed: "ccxt-past-orders", candles: () => candles });
    await service.quote("BTCUSD", 50_000, 50_000);
    exchange = createLiveExchange(service);
    for (let count = 1; count <= ORDERS; count += 1) {
      await exchange.privatePostTradingOrders({ trade: BID });
      // An account has at most a hundred pending orders and legs, so the orders are cancelled before that number is
      // reached.
      if (count % 9 === 0 || count === ORDERS) {
        await exchange.privatePostTradingOrders({ trade: CANCEL });
      }
    }
    await exchange.createOrder(BTC, "market", "buy", 0.5);
    return () => service.close();
  });

  test("a bot that reads the closed orders since a time finds one behind many cancelled ones", async () => {
    const [closed, ...more] = await exchange.fetchClosedOrders(BTC, START_MS);
    expect(closed).toMatchObject({ status: "closed", filled: 0.5, remaining: 0 });
    expect(more).toEqual([]);
  });

  test("fetchOrders returns as many orders since a time as were asked for", async () => {
    expect(await exchange.fetchOrders(BTC, START_MS, 500)).toHaveLength(ORDERS + 1);
    expect(await exchange.fetchOrders(BTC, START_MS, 120)).toHaveLength(120);
  });

  test("fetchOHLCV returns as many candles since a time as were asked for", async () => {
    const candles = await exchange.fetchOHLCV(BTC, "1m", START_MS, 1_000);
    const starts = Array.from({ length: 1_000 }, (_, minute) => START_MS + minute * 60_000);
    expect(candles.map(([startMs]) => startMs)).toEqual(starts);
  });

  test.each([
    ["candles", (bot: Exchange) => bot.fetchOHLCV(BTC, "1m", START_MS, 1_000)],
    ["order-history", (bot: Exchange) => bot.fetchClosedOrders(BTC, START_MS)],
  ])("a page of %s that names itself as the next one is no answer", async (path, read) => {
    const bot = createLiveExchange(service);
    let reads = 0;
    bot.fetchImplementation = async (url: string, init: RequestInit) => {
      if (!url.includes(`/${path}?`)) return fetch(url, init);
      reads += 1;
      if (reads > 4) throw new Error("the pages are read without end");
      const real = await service.get(path === "candles" ? CANDLE : "order-history?limit=1");
      const { data } = real.json() as { readonly data: unknown };
      const answer = path === "candles" ? { data, next: START_MS } : { data: fullPage(data) };
      return Response.json({ success: true, ...answer });
    };
    await expect(read(bot)).rejects.toBeInstanceOf(ccxt.BadResponse);
    expect(reads).toBe(2);
  });

  test("fetchOrders returns the newest orders without a time", async () => {
    const newest = (await exchange.fetchOrders(BTC, undefined, 500)).at(-1);
    expect(newest).toMatchObject({ type: "market", status: "closed" });
    expect(await exchange.fetchClosedOrders(BTC)).toHaveLength(1);
  });
});

/** A full page of cancelled orders, which names itself as the next one. */
function fullPage(page: unknown): unknown {
  const { items } = page as { readonly items: readonly object[] };
  const cancelled = Array.from({ length: 500 }, () => ({ ...items[0], status: "cancelled" }));
  return { items: cancelled, next: "7" };
}

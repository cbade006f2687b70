import ccxt, { type Exchange, type Order, type Trade } from "ccxt";
import { beforeEach, describe, expect, onTestFinished, test } from "vitest";
import { startCuttingProxy } from "../../../../test/cutting-proxy.ts";
import { SEED, scaledCount } from "../../../../test/environment/depth.ts";
import { eventually } from "../../../../test/eventually.ts";
import { createSeededChance } from "../../../base/src/random.ts";
import { type Harness, openHarness } from "../../../server/src/testing/harness.ts";
import type { Signer } from "../../../server/src/testing/signed-request.ts";
import { expectShape } from "../testing/ccxt-shapes.ts";
import { createLiveExchange, type LiveOptions } from "../testing/live-exchange.ts";

const BTC = "BTC/USD:USD";
const EUR = "EUR/USD:USD";
const LIMIT = { execution_type: "LIMIT", trade_pair: "BTCUSD", order_type: "LONG" } as const;

const MARKET = { execution_type: "MARKET", trade_pair: "BTCUSD", order_type: "LONG" } as const;

let service: Harness;
let signer: Signer;
let prices: Map<string, number>;
beforeEach(async () => {
  service = await openHarness({ seed: "ccxt-watch" });
  prices = new Map();
  await quote("BTCUSD", 50_000);
  await quote("EURUSD", 1.1);
  signer = await service.newKey({ accountId: await service.newAccount() });
  return () => service.close();
});

async function quote(pair: string, price: number): Promise<void> {
  prices.set(pair, price);
  await service.quote(pair, price, price);
}

/** Moves time without a change of prices, so that the service's streams look for new events. */
async function pass(ms: number): Promise<void> {
  await service.time.pass(ms);
  for (const [pair, price] of prices) await service.quote(pair, price, price);
}

/** An exchange that the end of the test closes. */
function bot(given: LiveOptions = {}): Exchange {
  const exchange = createLiveExchange(service, { signer, ...given });
  onTestFinished(() => exchange.close());
  return exchange;
}

/** Moves time until the waiting watch method has resolved. */
async function arriving<Value>(waiting: Promise<Value>): Promise<Value> {
  let isOver = false;
  const over = waiting.finally(() => {
    isOver = true;
  });
  over.catch(() => undefined);
  await eventually(async () => {
    await pass(1_000);
    if (!isOver) throw new Error("the watch method waits");
  });
  return waiting;
}

/** Resolves when the stream of this exchange is open, which a first quote proves. */
async function opened(exchange: Exchange): Promise<void> {
  await arriving(exchange.watchTicker(EUR));
}

/** Collects everything that a watch method returns, until the exchange is closed. */
function collect<Item>(watch: () => Promise<readonly Item[]>): {
  readonly items: Item[];
  readonly ended: Promise<unknown>;
} {
  const items: Item[] = [];
  const loop = async (): Promise<void> => {
    for (;;) items.push(...(await watch()));
  };
  return { items, ended: loop().catch((error: unknown) => error) };
}

/** The paths of the requests that ccxt sends after this call. */
function requestsOf(exchange: Exchange): string[] {
  const sent: string[] = [];
  const fetch = exchange.fetch.bind(exchange);
  exchange.fetch = (...given: Parameters<typeof fetch>) => {
    sent.push(new URL(given[0]).pathname);
    return fetch(...given);
  };
  return sent;
}

describe("orders and trades", () => {
  test("an order is watched from its placing to its fill in the shape of fetchOrder, without a read", async () => {
    const exchange = bot();
    const first = exchange.watchOrders();
    await opened(exchange);
    const sent = requestsOf(exchange);
    const placed = await exchange.createOrder(BTC, "limit", "buy", 0.5, 49_000, {
      clientOrderId: "own-1",
      stopLoss: { triggerPrice: 48_000 },
    });
    const [open] = await arriving(first);
    expectShape("order", open);
    expect(open).toMatchObject({
      id: placed.id,
      clientOrderId: "own-1",
      symbol: BTC,
      status: "open",
      price: 49_000,
      amount: 0.5,
      filled: 0,
      stopLossPrice: 48_000,
      info: { type: "order.resting" },
    });
    await exchange.editOrder(placed.id ?? "", BTC, "limit", "buy", undefined, 49_500);
    expect(await arriving(exchange.watchOrders(BTC))).toMatchObject([{ price: 49_500 }]);
    await arriving(exchange.watchOrders());
    const before = [...sent];
    const [filled, trades] = [exchange.watchOrders(), exchange.watchMyTrades()];
    await quote("BTCUSD", 49_400);
    const [order, ...legs] = await arriving(filled);
    const { info: _now, ...shown } = order ?? {};
    const { info: _read, ...read } = await exchange.fetchOrder(placed.id ?? "");
    expect(shown).toEqual(read);
    expect(shown).toMatchObject({ status: "closed", average: 49_400, filled: 0.5, remaining: 0 });
    expect(legs).toEqual([]);
    const [trade] = await arriving(trades);
    expectShape("trade", trade);
    expect(await exchange.fetchMyTrades(BTC)).toEqual([trade]);
    const [leg] = await arriving(exchange.watchOrders());
    expect(leg).toMatchObject({ side: "sell", reduceOnly: true, stopLossPrice: 48_000 });
    expect(before.filter((path) => !path.endsWith("/orders"))).toEqual([]);
    expect(exchange.orders?.map(({ id }) => id)).toEqual([placed.id, leg?.id]);
  });

  test("figures of a watched order have no noise of binary arithmetic, as those of fetchOrder have none", async () => {
    const exchange = bot();
    const first = exchange.watchOrders();
    await opened(exchange);
    await quote("BTCUSD", 49_400.1);
    const { id = "" } = await exchange.createOrder(BTC, "market", "buy", 0.7);
    const [order] = await arriving(first);
    const { info: _now, ...shown } = order ?? {};
    const { info: _read, ...read } = await exchange.fetchOrder(id);
    expect(shown).toMatchObject({ average: 49_400.1 });
    expect(shown).toEqual(read);
  });

  test("an order that was pending before the first watch is complete in its first update", async () => {
    const exchange = bot();
    const ids = [];
    for (const price of [49_000, 48_000]) {
      const { id = "" } = await exchange.createOrder(BTC, "limit", "buy", 0.1, price);
      ids.push(id);
    }
    const first = exchange.watchOrders(BTC);
    await opened(exchange);
    await exchange.cancelOrder(ids[0] ?? "");
    expect(await arriving(first)).toMatchObject([
      { id: ids[0], status: "canceled", price: 49_000, amount: 0.1, symbol: BTC },
    ]);
    await quote("BTCUSD", 47_900);
    expect(await arriving(exchange.watchOrders(BTC))).toMatchObject([
      { id: ids[1], status: "closed", price: 48_000, average: 47_900 },
    ]);
  });

  test("two bots see every update once and none twice, with cuts at random bytes and a slow reader", async () => {
    const chance = createSeededChance(`ccxt cuts ${SEED}`);
    const proxy = await startCuttingProxy(
      () => service.port,
      () => {
        const [high = 0, low = 0] = chance.bytes(2);
        return (high * 256 + low) % 20_000;
      },
    );
    onTestFinished(() => proxy.close());
    const [quick, slow] = [bot({ url: proxy.baseUrl }), bot({ url: proxy.baseUrl })];
    await Promise.all([quick, slow].map((one) => eventually(() => one.loadMarkets())));
    const trades = collect<Trade>(() => quick.watchMyTrades());
    const orders = collect<Order>(() => slow.watchOrders(BTC));
    const late: Trade[] = [];
    const firstLate = slow.watchMyTrades();
    await Promise.all([opened(quick), opened(slow)]);
    const rounds = scaledCount(60, 12);
    for (let round = 0; round < rounds; round += 1) {
      const order = (trade: object) => service.order(trade, { signer });
      await order({ ...MARKET, quantity: 0.01 });
      await order({ ...LIMIT, quantity: 0.01, limit_price: 40_000 + round });
      await order({ execution_type: "LIMIT_CANCEL", order_uuid: "ALL" });
      await pass(6_000);
    }
    const reader = bot();
    const fills = await reader.fetchMyTrades(BTC, undefined, 500);
    expect(fills).toHaveLength(rounds);
    late.push(...(await arriving(firstLate)));
    await eventually(async () => {
      await pass(15_000);
      expect(trades.items.length).toBeGreaterThanOrEqual(rounds);
      expect(orders.items.filter(({ status }) => status === "canceled")).toHaveLength(rounds);
    });
    late.push(...(await arriving(slow.watchMyTrades())));
    expect(trades.items).toEqual(fills);
    expect(late).toEqual(fills);
    const statuses = Map.groupBy(orders.items, ({ id }) => id);
    const lives = [...statuses.values()].map((all) => all.map(({ status }) => status).join(" "));
    expect(lives.filter((life) => life === "closed")).toHaveLength(rounds);
    expect(lives.filter((life) => /^(open )?canceled$/.test(life))).toHaveLength(rounds);
    expect(proxy.cuts()).toBeGreaterThan(3);
    await Promise.all([quick.close(), slow.close()]);
    expect(await trades.ended).toBeInstanceOf(ccxt.ExchangeClosedByUser);
  });

  test("a reader that took too few updates gets an error, and then the updates that were kept", async () => {
    const exchange = bot({ options: { tradesLimit: 2 } });
    const first = exchange.watchMyTrades();
    await opened(exchange);
    const buy = () => exchange.createOrder(BTC, "market", "buy", 0.01);
    await buy();
    expect(await arriving(first)).toHaveLength(1);
    for (let count = 0; count < 3; count += 1) await buy();
    await eventually(async () => {
      await pass(1_000);
      expect(exchange.myTrades).toHaveLength(2);
      expect(exchange.myTrades?.at(-1)?.id).toBe((await exchange.fetchMyTrades()).at(-1)?.id);
    });
    const missed = exchange.watchMyTrades();
    await expect(missed).rejects.toBeInstanceOf(ccxt.ExchangeError);
    await expect(missed).rejects.toThrow(/more than 2 myTrades.*options\.tradesLimit/);
    expect(await exchange.watchMyTrades()).toHaveLength(2);
  });

  test("newUpdates false returns the whole cache, and since and limit select from it", async () => {
    const exchange = bot();
    exchange.newUpdates = false;
    const first = exchange.watchMyTrades(BTC);
    await opened(exchange);
    await exchange.createOrder(BTC, "market", "buy", 0.01);
    await arriving(first);
    const second = exchange.watchMyTrades(BTC);
    await exchange.createOrder(BTC, "market", "buy", 0.02);
    expect(await arriving(second)).toMatchObject([{ amount: 0.01 }, { amount: 0.02 }]);
    const third = exchange.watchMyTrades(undefined, undefined, 1);
    await exchange.createOrder(BTC, "market", "buy", 0.03);
    expect(await arriving(third)).toMatchObject([{ amount: 0.03 }]);
  });
});

describe("balance and positions", () => {
  test("positions begin with the open ones, then each change comes, the end of a position with 0 contracts", async () => {
    const exchange = bot();
    expect(await arriving(exchange.watchPositions())).toEqual([]);
    await opened(exchange);
    await exchange.createOrder(BTC, "market", "buy", 0.5);
    const [position] = await arriving(exchange.watchPositions());
    expectShape("position", position);
    expect(position).toMatchObject({ symbol: BTC, side: "long", contracts: 0.5 });
    expect(await arriving(exchange.watchPositions([BTC]))).toMatchObject([{ contracts: 0.5 }]);
    await exchange.createOrder(EUR, "market", "sell", 0.1);
    expect(await arriving(exchange.watchPositions())).toMatchObject([{ symbol: EUR }]);
    await exchange.closePosition(BTC);
    expect(await arriving(exchange.watchPositions([BTC]))).toMatchObject([
      { id: position?.id, side: "long", contracts: 0, notional: 0, unrealizedPnl: 0 },
    ]);
  });

  test("the balance begins with the present one and is read once after what changed it", async () => {
    const exchange = bot();
    expect(await arriving(exchange.watchBalance())).toMatchObject({ USD: { total: 100_000 } });
    await opened(exchange);
    const sent = requestsOf(exchange);
    const next = exchange.watchBalance();
    await exchange.createOrder(BTC, "market", "buy", 1);
    expect(await arriving(next)).toMatchObject({ USD: { total: 99_985 } });
    expect(exchange.balance).toMatchObject({ USD: { total: 99_985 } });
    await exchange.createOrder(BTC, "limit", "buy", 0.1, 40_000);
    await quote("BTCUSD", 50_100);
    await pass(15_000);
    expect(sent.filter((path) => path.endsWith("/account"))).toHaveLength(1);
  });
});

describe("tickers", () => {
  test("a ticker comes first as it is and then when it changes, each once", async () => {
    const exchange = bot({ options: { tickerSeconds: 0.25 } });
    const ticker = await arriving(exchange.watchTicker(BTC));
    expectShape("ticker", ticker);
    expect(ticker).toMatchObject({ symbol: BTC, bid: 50_000, ask: 50_000 });
    const both = exchange.watchTickers([BTC, EUR]);
    expect(Object.keys(await arriving(both))).toEqual([EUR]);
    const next = exchange.watchTicker(BTC);
    await quote("BTCUSD", 50_500);
    expect(await arriving(next)).toMatchObject({ bid: 50_500, ask: 50_500 });
    expect(exchange.tickers[BTC]).toMatchObject({ bid: 50_500 });
    expect(Object.keys(await arriving(exchange.watchTickers([BTC, EUR])))).toEqual([BTC]);
  });

  test("too many symbols, an unknown one and an unknown parameter are named", async () => {
    const exchange = bot();
    await exchange.loadMarkets();
    const many = Array.from({ length: 61 }, (_, index) => ({ ...exchange.market(BTC), index }));
    const symbolOf = ({ index }: { readonly index: number }) => `B${index}/USD:USD`;
    const made = many.map((one) => [symbolOf(one), { ...one, symbol: symbolOf(one) }]);
    Object.assign(exchange.markets ?? {}, Object.fromEntries(made));
    await expect(exchange.watchTickers(many.map(symbolOf))).rejects.toThrow(/61 symbols, and 60/);
    await expect(exchange.watchTicker("XYZ/USD:USD")).rejects.toBeInstanceOf(ccxt.BadSymbol);
    await expect(exchange.watchOrders(BTC, 0, 1, { type: "swap" })).rejects.toThrow(
      /watchOrders\(\) does not support params\.type/,
    );
  });
});

describe("the end of a watch", () => {
  test("unWatch rejects the waiting call, and the other readers go on", async () => {
    const exchange = bot();
    const [orders, trades] = [exchange.watchOrders(), exchange.watchMyTrades()];
    const ended = orders.catch((error: unknown) => error);
    await opened(exchange);
    expect(await exchange.unWatchOrders()).toBe(true);
    expect(await ended).toBeInstanceOf(ccxt.UnsubscribeError);
    await exchange.createOrder(BTC, "market", "buy", 0.01);
    expect(await arriving(trades)).toHaveLength(1);
    const again = exchange.watchOrders();
    await exchange.createOrder(BTC, "market", "buy", 0.02);
    expect(await arriving(again)).toMatchObject([{ amount: 0.02 }]);
  });

  test("a watch that begins again returns what came since, and nothing that the one before has returned", async () => {
    const exchange = bot();
    const fill = (quantity: number) => service.order({ ...MARKET, quantity }, { signer });
    const first = exchange.watchMyTrades();
    await opened(exchange);
    await fill(0.01);
    expect(await arriving(first)).toMatchObject([{ amount: 0.01 }]);
    await exchange.unWatchMyTrades();
    await fill(0.02);
    expect(await arriving(exchange.watchMyTrades())).toMatchObject([{ amount: 0.02 }]);
    await exchange.close();
    await fill(0.03);
    expect(await arriving(exchange.watchMyTrades())).toMatchObject([{ amount: 0.03 }]);
  });

  test("an event that came to no reader, because the watch ended at it, comes with the next watch", async () => {
    const exchange = bot();
    const first = exchange.watchMyTrades();
    const ended = first.catch((error: unknown) => error);
    await opened(exchange);
    const safeOrder = exchange.safeOrder.bind(exchange);
    exchange.loadMarkets = async () => exchange.markets ?? {};
    exchange.safeOrder = (...given: Parameters<typeof safeOrder>) => {
      exchange.safeOrder = safeOrder;
      void exchange.unWatchMyTrades();
      return safeOrder(...given);
    };
    await service.order({ ...MARKET, quantity: 0.01 }, { signer });
    await arriving(ended);
    expect(await ended).toBeInstanceOf(ccxt.UnsubscribeError);
    expect(await arriving(exchange.watchMyTrades())).toMatchObject([{ amount: 0.01 }]);
  });

  test("a watch that ends while it begins misses nothing, although it has read the pending orders", async () => {
    const exchange = bot();
    await exchange.loadMarkets();
    const fetch = exchange.fetch.bind(exchange);
    exchange.fetch = async (...given: Parameters<typeof fetch>) => {
      if (!new URL(given[0]).pathname.endsWith("/order-history")) return fetch(...given);
      exchange.fetch = fetch;
      await service.order({ ...MARKET, quantity: 0.01 }, { signer });
      await exchange.close();
      return fetch(...given);
    };
    await expect(exchange.watchMyTrades()).rejects.toBeInstanceOf(ccxt.ExchangeClosedByUser);
    expect(await arriving(exchange.watchMyTrades())).toMatchObject([{ amount: 0.01 }]);
  });

  test("close ends the stream, and a later watch opens another one at the last answer", async () => {
    const exchange = bot();
    const waiting = exchange.watchBalance().then(() => exchange.watchBalance());
    const ended = waiting.catch((error: unknown) => error);
    await opened(exchange);
    const latest = exchange.watchOrders().catch((error: unknown) => error);
    await exchange.close();
    for (const one of [ended, latest]) {
      expect(await one).toBeInstanceOf(ccxt.ExchangeClosedByUser);
    }
    await exchange.createOrder(BTC, "market", "buy", 0.01);
    await service.order({ ...MARKET, quantity: 0.02 }, { signer });
    expect(await arriving(exchange.watchMyTrades())).toMatchObject([{ amount: 0.02 }]);
  });

  test("a wrong secret, a proxy and another past are errors of ccxt's classes", async () => {
    const good = bot();
    await good.loadMarkets();
    const wrong = bot({ signer: { ...signer, secret: "sk_wrong" } });
    Object.assign(wrong, { markets: good.markets, markets_by_id: good.markets_by_id });
    await expect(wrong.watchOrders()).rejects.toBeInstanceOf(ccxt.AuthenticationError);
    good.httpsProxy = "http://127.0.0.1:1";
    await expect(good.watchOrders()).rejects.toThrow(/do not use httpsProxy/);
    const exchange = bot();
    const waiting = exchange.watchOrders();
    await opened(exchange);
    await service.database.query("update journal set hash = sha256('another past')");
    await service.order({ ...LIMIT, quantity: 0.1, limit_price: 40_000 }, { signer });
    const differs = arriving(waiting);
    await expect(differs).rejects.toBeInstanceOf(ccxt.BadResponse);
    await expect(differs).rejects.toThrow(/history differs.*fetch orders and positions again/);
  });
});

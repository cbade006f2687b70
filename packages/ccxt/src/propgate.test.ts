import { once } from "node:events";
import { createServer } from "node:http";
import ccxt, { type Exchange } from "ccxt";
import { beforeAll, describe, expect, test } from "vitest";
import { listenerPort } from "../../base/src/listener-port.ts";
import { loadCatalogue } from "../../market/src/catalogue/catalogue.ts";
import { type Harness, openHarness, START_MS } from "../../server/src/testing/harness.ts";
import { signedHeaders } from "../../server/src/testing/signed-request.ts";
import { HAS } from "./description.ts";
import { propgateIn } from "./propgate.ts";
import { expectShape } from "./testing/ccxt-shapes.ts";
import { createLiveExchange } from "./testing/live-exchange.ts";

const BTC = "BTC/USD:USD";
const EUR = "EUR/USD:USD";

let service: Harness;
beforeAll(async () => {
  service = await openHarness({ seed: "ccxt" });
  await service.quote("BTCUSD", 49_990, 50_000);
  await service.quote("EURUSD", 1.0999, 1.1);
  return () => service.close();
});

describe("the class", () => {
  test("propgateIn without ccxt says what to install", () => {
    expect(() => propgateIn(Object.create(null))).toThrow(/npm install ccxt@4.5/);
  });

  test("the class is a ccxt exchange and claims only features that it has", () => {
    const exchange = createLiveExchange(service);
    expect(exchange).toBeInstanceOf(ccxt.Exchange);
    expect(exchange.id).toBe("propgate");
    const names = Object.entries(HAS).filter(([name]) =>
      /^(create|cancel|edit|fetch|close|watch|unWatch)/.test(name),
    );
    for (const [name, has] of names) {
      if (has === false) expect(exchange.has[name], name).toBe(false);
      else expect(exchange[name], name).toBeTypeOf("function");
    }
    expect([exchange.rateLimit, exchange.rollingWindowSize]).toEqual([500, 60_000]);
  });

  test("fees and leverage tiers are those of the markets", async () => {
    const exchange = createLiveExchange(service);
    expect(await exchange.fetchTradingFees()).toMatchObject({
      [BTC]: { symbol: BTC, maker: 0.0003, taker: 0.0003, percentage: true },
      [EUR]: { symbol: EUR },
    });
    expect(await exchange.fetchTradingFee(BTC)).toMatchObject({ taker: 0.0003 });
    const tiers = await exchange.fetchLeverageTiers([BTC]);
    expect(tiers).toMatchObject({
      [BTC]: [{ tier: 1, symbol: BTC, currency: "USD", minNotional: 0, maxLeverage: 1.5 }],
    });
    expect(await exchange.fetchMarketLeverageTiers(BTC)).toEqual(tiers[BTC]);
  });

  test("ccxt rejects features that the class does not have", async () => {
    const exchange = createLiveExchange(service);
    await expect(exchange.fetchOrderBook(BTC)).rejects.toBeInstanceOf(ccxt.NotSupported);
    await expect(exchange.fetchTrades(BTC)).rejects.toBeInstanceOf(ccxt.NotSupported);
  });

  test("an error names the missing address, also in sandbox mode", async () => {
    const Propgate = propgateIn(ccxt);
    const keys = { apiKey: "k", secret: "s" };
    await expect(new Propgate(keys).fetchBalance()).rejects.toThrow(/urls\.api/);
    const exchange = new Propgate({ ...keys, urls: { api: "http://live.invalid" } });
    expect(() => exchange.setSandboxMode(true)).toThrow(/urls\.test/);
    expect(exchange.urls.api).toBe("http://live.invalid");
  });

  test("sandbox mode goes to the other address", async () => {
    const exchange = createLiveExchange(service, { url: "http://live.invalid" });
    Object.assign(exchange.urls, { test: `http://127.0.0.1:${service.port}` });
    exchange.setSandboxMode(true);
    expect(await exchange.fetchTime()).toBe(START_MS);
    exchange.setSandboxMode(false);
    expect(exchange.urls.api).toBe("http://live.invalid");
  });
});

describe("features", () => {
  let exchange: Exchange;
  beforeAll(async () => {
    const signer = await service.newKey({ accountId: await service.newAccount() });
    exchange = createLiveExchange(service, { signer });
    await exchange.loadMarkets();
    await exchange.createOrder(BTC, "market", "buy", 0.5);
  });

  const LEG = { type: "market", side: "sell", amount: 0.1, price: undefined } as const;
  const ENTRY = { type: "limit", side: "buy", amount: 0.1, price: 40_000 } as const;
  const MARKET = { type: "market", side: "buy", amount: 0.01, price: undefined } as const;
  test.each([
    ["triggerPrice", ENTRY, { triggerPrice: 60_000 }],
    ["triggerDirection", ENTRY, { triggerPrice: 60_000, triggerDirection: "ascending" }],
    ["stopLossPrice", LEG, { stopLossPrice: 40_000 }],
    ["takeProfitPrice", LEG, { takeProfitPrice: 60_000 }],
    ["stopLoss.triggerPrice", MARKET, { stopLoss: { triggerPrice: 30_000 } }],
    ["takeProfit.triggerPrice", MARKET, { takeProfit: { triggerPrice: 70_000 } }],
    ["stopLoss.type", MARKET, { stopLoss: { triggerPrice: 30_000, type: "limit" } }],
    ["stopLoss.price", MARKET, { stopLoss: { triggerPrice: 30_000, price: 29_000 } }],
    ["timeInForce.GTC", ENTRY, { timeInForce: "GTC" }],
    ["timeInForce.IOC", MARKET, { timeInForce: "IOC" }],
    ["timeInForce.FOK", MARKET, { timeInForce: "FOK" }],
    ["timeInForce.PO", ENTRY, { timeInForce: "PO" }],
    ["timeInForce.GTD", ENTRY, { timeInForce: "GTD" }],
    ["marginMode", ENTRY, { marginMode: "isolated" }],
    ["hedged", ENTRY, { hedged: true }],
    ["trailing", LEG, { trailingPercent: 5 }],
    ["leverage", ENTRY, { leverage: 3 }],
    ["marketBuyByCost", { ...MARKET, amount: 0 }, { cost: 500 }],
    ["selfTradePrevention", ENTRY, { selfTradePrevention: "NONE" }],
    ["iceberg", ENTRY, { icebergAmount: 0.01 }],
  ])("createOrder takes what its feature %s says", async (name, given, params) => {
    const claimed = exchange.featureValue(BTC, "createOrder", name);
    expect(claimed).toBeTypeOf("boolean");
    const { type, side, amount, price } = given;
    const placing = exchange.createOrder(BTC, type, side, amount, price, { ...params });
    const taken = await placing.then(
      () => true,
      (error: unknown) => {
        const isRefused = error instanceof ccxt.NotSupported || error instanceof ccxt.InvalidOrder;
        if (!isRefused) throw error;
        return false;
      },
    );
    expect(taken).toBe(claimed);
  });

  test("the limits of the lists are those that the service takes", async () => {
    for (const method of ["fetchOrders", "fetchClosedOrders", "fetchMyTrades"] as const) {
      const limit = exchange.featureValue(BTC, method, "limit");
      expect(limit).toBe(500);
      expect(exchange.featureValue(BTC, method, "symbolRequired")).toBe(false);
      await exchange[method](undefined, undefined, limit);
    }
    expect(exchange.featureValue(BTC, "fetchOHLCV", "limit")).toBe(1_000);
    expect(exchange.features).toMatchObject({ swap: { linear: { sandbox: true } } });
    expect([exchange.features.spot, exchange.features.swap?.inverse]).toEqual([
      undefined,
      undefined,
    ]);
  });
});

describe("sign", () => {
  test("sign follows the contract, with the brand's header names and the given nonce [S5.canonical]", () => {
    const exchange = createLiveExchange(service, {
      signer: { keyId: "pk_1", secret: "sk_1" },
      options: { brand: "Acme", timeDifference: 0 },
    });
    exchange.milliseconds = () => 1_700_000_000_000;
    const params = { trade: { execution_type: "FLAT_ALL", note: "日本語" } };
    const given = { "X-Acme-Nonce": "n-1" };
    const signed = exchange.sign("trading/orders", "private", "POST", params, given);
    const body = JSON.stringify(params);
    const parts = { method: "POST", target: "/api/v1/trading/orders", body, nonce: "n-1" };
    const expected = signedHeaders(
      { keyId: "pk_1", secret: "sk_1" },
      { ...parts, timestamp: "1700000000000" },
    );
    expect(signed).toEqual({
      url: `http://127.0.0.1:${service.port}/api/v1/trading/orders`,
      method: "POST",
      body,
      headers: {
        ...Object.fromEntries(
          Object.entries(expected).map(([name, value]) => [name.replace("Service", "Acme"), value]),
        ),
        "Content-Type": "application/json",
      },
    });
  });

  test.each([
    [{ keyId: "propgate_sk_x", secret: "pk_1" }, "id and secret are swapped"],
    [{ keyId: "sk_x", secret: "pk_1" }, "id and secret are swapped"],
    [{ keyId: "pk_1", secret: "propgate_sk_cut" }, "its checksum does not match"],
  ])(
    "the credentials %j sign nothing and are not shown [D10.secretAsId] [D10.secretForm]",
    (signer, words) => {
      const exchange = createLiveExchange(service, { signer });
      const sign = () => exchange.sign("trading/orders", "private", "POST", {});
      expect(sign).toThrow(ccxt.AuthenticationError);
      expect(sign).toThrow(words);
      expect(sign).not.toThrow(/sk_/);
    },
  );

  test("the query is signed, and every read has its own nonce", () => {
    const exchange = createLiveExchange(service);
    const sign = () =>
      exchange.sign("trading/quotes", "private", "GET", { pairs: "BTCUSD,EURUSD" });
    expect(sign().url).toMatch(/\/api\/v1\/trading\/quotes\?pairs=BTCUSD%2CEURUSD$/);
    expect(sign().headers["X-Service-Nonce"]).not.toBe(sign().headers["X-Service-Nonce"]);
  });

  test("ccxt's implicit methods work", async () => {
    const exchange = createLiveExchange(service);
    await exchange.loadMarkets();
    const quotes = { pairs: "EURUSD" };
    expect(await exchange.privateGetTradingQuotes(quotes)).toMatchObject({
      success: true,
      data: [{ tradePair: "EURUSD" }],
    });
  });
});

describe("reads", () => {
  test("time and status are unsigned", async () => {
    const exchange = createLiveExchange(service);
    exchange.apiKey = "";
    expect(await exchange.fetchTime()).toBe(START_MS);
    expect(await exchange.fetchStatus()).toMatchObject({ status: "ok", info: { status: "ok" } });
  });

  test("a service with a problem reports maintenance, and an unreachable one is a NetworkError", async () => {
    const body = JSON.stringify({ status: "degraded", problem: "the database fails" });
    const server = createServer((_, response) => void response.end(body));
    await once(server.listen(0, "127.0.0.1"), "listening");
    const url = `http://127.0.0.1:${listenerPort(server.address())}`;
    const exchange = createLiveExchange(service, { url });
    expect(await exchange.fetchStatus()).toMatchObject({
      status: "maintenance",
      info: { problem: "the database fails" },
    });
    server.close();
    server.closeAllConnections();
    await expect(exchange.fetchStatus()).rejects.toBeInstanceOf(ccxt.NetworkError);
  });

  test("markets have ccxt's shape: one contract is one lot", async () => {
    const exchange = createLiveExchange(service);
    const markets = await exchange.loadMarkets();
    expect(Object.keys(markets).toSorted()).toEqual([BTC, EUR]);
    for (const market of Object.values(markets)) expectShape("market", market);
    expect(exchange.market(BTC)).toMatchObject({
      id: "BTCUSD",
      base: "BTC",
      quote: "USD",
      settle: "USD",
      type: "swap",
      active: true,
      contractSize: 1,
      taker: 0.0003,
      linear: true,
      inverse: false,
      subType: "linear",
      precision: { amount: 0.00001, price: 0.00001 },
    });
    expect(exchange.market(EUR).contractSize).toBe(100_000);
    expect(exchange.market("EURUSD").symbol).toBe(EUR);
    expect(exchange.amountToPrecision(BTC, 0.123456789)).toBe("0.12345");
  });

  test("every pair of the catalogue that is sold has a symbol of its own", async () => {
    const { instruments } = await loadCatalogue(null);
    const all = await openHarness({ instruments, seed: "ccxt-all" });
    try {
      const markets = await createLiveExchange(all).loadMarkets();
      expect(Object.keys(markets)).toHaveLength(instruments.size);
      for (const market of Object.values(markets)) expectShape("market", market);
      expect(markets["USD/JPY:USD"]).toMatchObject({ id: "USDJPY", contractSize: 100_000 });
      expect(markets["AAPL/USD:USD"]).toMatchObject({ id: "AAPL" });
      expect(markets["BTC/USD:USD"]?.limits.cost?.min).toBe(10);
      expect(markets["GDAXI/EUR:USD"]).toMatchObject({ limits: { cost: { min: undefined } } });
    } finally {
      await all.close();
    }
  });

  test("a ticker has bid and ask, and no invented last trade", async () => {
    const exchange = createLiveExchange(service);
    const ticker = await exchange.fetchTicker(BTC);
    expectShape("ticker", ticker);
    expect(ticker).toMatchObject({ symbol: BTC, bid: 49_990, ask: 50_000, timestamp: START_MS });
    expect(ticker.last).toBeUndefined();
    expect(Object.keys(await exchange.fetchTickers())).toEqual([BTC, EUR]);
    expect(Object.keys(await exchange.fetchTickers([EUR]))).toEqual([EUR]);
  });

  test("candles have ccxt's shape, of mid prices unless another side is given, and no volume [D9.candles]", async () => {
    const exchange = createLiveExchange(service);
    const mid = [START_MS, 49_995, 49_995, 49_995, 49_995, undefined];
    expect(await exchange.fetchOHLCV(BTC)).toEqual([mid]);
    expect(await exchange.fetchOHLCV("BTCUSD", "5m", START_MS, 5000)).toEqual([mid]);
    expect(await exchange.fetchOHLCV(BTC, "1m", START_MS + 1)).toEqual([]);
    const hour = await exchange.fetchOHLCV(BTC, "1h", 0, 1, { price: "bid" });
    expect(hour).toEqual([[START_MS, 49_990, 49_990, 49_990, 49_990, undefined]]);
    expect(Object.keys(exchange.timeframes)).toEqual(["1m", "5m", "15m", "1h", "1d"]);
    for (const wrong of [
      () => exchange.fetchOHLCV(BTC, "2m"),
      () => exchange.fetchOHLCV(BTC, "1m", undefined, undefined, { price: "mark" }),
      () => exchange.fetchOHLCV(BTC, "1m", undefined, undefined, { until: 5 }),
    ]) {
      await expect(wrong()).rejects.toBeInstanceOf(ccxt.NotSupported);
    }
    const first = Date.UTC(2000, 0, 1);
    for (const since of [1, first, first + 1]) {
      expect(await exchange.fetchOHLCV(BTC, "1m", since)).toEqual([mid]);
    }
    for (const [since, words] of [
      [
        first - 1,
        /since must be a time in Unix milliseconds between 2000 and 2100, not 946684799999$/,
      ],
      [1_764_000_000, /since must be .*; 1764000000 looks like seconds$/],
    ] as const) {
      const refused = exchange.fetchOHLCV(BTC, "1m", since);
      await expect(refused).rejects.toBeInstanceOf(ccxt.BadRequest);
      await expect(refused).rejects.toThrow(words);
    }
    await expect(exchange.fetchOHLCV(BTC, "1m", 0, 0)).rejects.toBeInstanceOf(ccxt.BadRequest);
    await expect(exchange.fetchOHLCV("XYZ/USD:USD")).rejects.toBeInstanceOf(ccxt.BadSymbol);
  });

  test("the balance is the sum of free and used", async () => {
    const signer = await service.newKey({ accountId: await service.newAccount() });
    const exchange = createLiveExchange(service, { signer });
    expect(await exchange.fetchBalance()).toMatchObject({
      USD: { total: 100_000, free: 100_000, used: 0 },
      total: { USD: 100_000 },
    });
    await exchange.createOrder(BTC, "market", "buy", 1);
    const balance = await exchange.fetchBalance();
    const { total = 0, free = 0, used = 0 } = balance.USD ?? {};
    expect(total).toBe(99_985);
    expect(used).toBeGreaterThan(0);
    expect(free + used).toBeCloseTo(total, 6);
  });
});

describe("refusals arrive as ccxt's classes", () => {
  test.each([
    ["a wrong secret", { secret: "sk_wrong" }, ccxt.AuthenticationError, /Bad signature/],
    ["an unknown key", { keyId: "pk_unknown" }, ccxt.AuthenticationError, /Invalid key/],
  ])("%s arrives as ccxt's class", async (_, wrong, ErrorClass, text) => {
    const exchange = createLiveExchange(service, { signer: { ...service.signer, ...wrong } });
    const error: unknown = await exchange.fetchBalance().catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(ErrorClass);
    expect(String(error)).toMatch(text);
  });

  test("a wrong clock is an InvalidNonce that names the remedy", async () => {
    const exchange = createLiveExchange(service, { options: { adjustForTimeDifference: false } });
    const error: unknown = await exchange.fetchBalance().catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(ccxt.InvalidNonce);
    expect(String(error)).toContain("options.adjustForTimeDifference");
    await exchange.loadTimeDifference();
    expect(await exchange.fetchBalance()).toHaveProperty("USD");
  });

  test("a scope that the key lacks is named", async () => {
    const signer = await service.newKey({ scopes: ["read"] });
    const exchange = createLiveExchange(service, { signer });
    const error: unknown = await exchange
      .createOrder(BTC, "market", "buy", 1)
      .catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(ccxt.PermissionDenied);
    expect(String(error)).toContain("needs trade:place");
  });

  test("an unreachable trading network is an ExchangeNotAvailable", async () => {
    const exchange = createLiveExchange(service);
    await exchange.loadMarkets();
    service.faults.set({ network: "down" });
    try {
      await expect(exchange.fetchBalance()).rejects.toBeInstanceOf(ccxt.ExchangeNotAvailable);
      await expect(exchange.createOrder(BTC, "market", "buy", 1)).rejects.toThrow(
        /was not accepted/,
      );
    } finally {
      service.faults.set({ network: "up" });
    }
  });
});

import { beforeAll, describe, expect, test } from "vitest";
import { SEED, scaledCount } from "../../../../test/environment/depth.ts";
import { loadCatalogue } from "../../../market/src/catalogue/catalogue.ts";
import { createPseudoRandom } from "../../../market/src/prices/pseudo-random.ts";
import { type Harness, openHarness } from "../testing/harness.ts";
import type { Signer } from "../testing/signed-request.ts";

const { instruments } = await loadCatalogue(null);

/** The approximate price of each pair. All these markets are open at the harness's start, a Monday noon. */
const PRICES = {
  EURUSD: 1.1,
  GBPUSD: 1.27,
  USDJPY: 150,
  EURJPY: 165,
  XAUUSD: 2_600,
  BTCUSD: 50_000,
};
const TICKS = {
  EURUSD: 0.00001,
  GBPUSD: 0.00001,
  USDJPY: 0.001,
  EURJPY: 0.001,
  XAUUSD: 0.01,
  BTCUSD: 0.01,
};
type Pair = keyof typeof PRICES;
const PAIRS: readonly Pair[] = ["EURUSD", "GBPUSD", "USDJPY", "EURJPY", "XAUUSD", "BTCUSD"];

async function quoteAll(service: Harness): Promise<void> {
  for (const pair of PAIRS) await service.quote(pair, PRICES[pair], PRICES[pair] * 1.0001);
}

async function both(service: Harness, trade: object, signer: Signer) {
  const body = JSON.stringify({ trade });
  const preview = await service.call("/api/v1/trading/preview", { method: "POST", body, signer });
  const order = await service.order(trade, { signer });
  return { preview, order };
}

const MARKET = { execution_type: "MARKET", trade_pair: "GBPUSD", order_type: "SHORT", quantity: 1 };

/** The service of all tests. Each test has an account of its own. */
let service: Harness;
beforeAll(async () => {
  service = await openHarness({ instruments });
  await quoteAll(service);
  return () => service.close();
});

const newSigner = async (): Promise<Signer> =>
  service.newKey({ accountId: await service.newAccount() });

describe("a mistyped price is refused with its field, in preview and orders alike [D10.exactMoney]", () => {
  test.each<[string, object, string]>([
    [
      "a stop of a SHORT, 127512 for 1.27512",
      { ...MARKET, stop_loss: 127_512 },
      "'stop_loss' 127512 is out of range",
    ],
    [
      "the greatest price there is",
      { ...MARKET, stop_loss: 1e9 },
      "'stop_loss' 1000000000 is out of range",
    ],
    [
      "a trailing distance",
      { ...MARKET, trailing_stop: { trailing_value: 1e9 } },
      "'trailing_value' 1000000000 is a distance and must be smaller than the price",
    ],
    [
      "a stop near nothing of a pair that buys dollars",
      { ...MARKET, trade_pair: "USDJPY", order_type: "LONG", stop_loss: 0.001 },
      "'stop_loss' 0.001 is out of range",
    ],
    [
      "a listed leg",
      { ...MARKET, bracket_orders: [{ stop_loss: 1.3 }, { stop_loss: 1e8 }] },
      "bracket_orders[1]: 'stop_loss' 100000000 is out of range",
    ],
  ])("a mistyped price is refused with its field: %s", async (_, trade, text) => {
    const { preview, order } = await both(service, trade, await newSigner());
    expect([preview.status, order.status]).toEqual([400, 400]);
    const { error } = preview.json() as { error: string };
    expect(error).toBe((order.json() as { error: string }).error);
    expect(error).toContain(text);
  });

  test("a limit price counts with what is open on the pair, and on pairs that it converts", async () => {
    const signer = await newSigner();
    const long = { ...MARKET, trade_pair: "EURUSD", order_type: "LONG", quantity: 5 };
    expect((await service.order(long, { signer })).status).toBe(200);
    const limit = { ...long, execution_type: "LIMIT", order_type: "SHORT", quantity: 1 };
    const far = await both(service, { ...limit, limit_price: 1e9 }, signer);
    const cross = { ...long, trade_pair: "EURJPY", quantity: 1 };
    expect((await service.order(cross, { signer })).status).toBe(200);
    const yen = { ...limit, trade_pair: "USDJPY", order_type: "LONG", limit_price: 1e-9 };
    const converted = await both(service, yen, signer);
    // 500,000 EUR at 100 are 50,000,000 dollars, an amount that can be counted in whole micro dollars.
    const near = await both(service, { ...limit, limit_price: 100 }, signer);
    for (const { preview, order } of [far, converted]) {
      expect([preview.status, order.status]).toEqual([400, 400]);
      expect(preview.text).toContain("'limit_price'");
    }
    expect([near.preview.status, near.order.status]).toEqual([200, 200]);
  });
});

describe("a price at which a size is more than can be counted", () => {
  test.each([{ value: 50_000 }, { leverage: 0.5 }])(
    "a size of more lots than are exact is refused with its field, and not cut in silence: %o [D10.exactMoney] [D10.exactQuantity]",
    async (size) => {
      const [field] = Object.keys(size);
      await service.quote("XAUUSD", 1e-9, 1e-9);
      const trade = { execution_type: "MARKET", trade_pair: "XAUUSD", order_type: "LONG", ...size };
      const { preview, order } = await both(service, trade, await newSigner());
      await quoteAll(service);
      expect([preview.status, order.status]).toEqual([400, 400]);
      expect(order.text).toContain(`'${field}' is out of range: the position in XAUUSD`);
    },
  );
});

const READS = ["account", "positions", "orders", "trades", "payouts"];

describe("a price of the market at which an account would have more than exact money", () => {
  test.each(["LONG", "SHORT"])(
    "a price of the market beyond exact money fails no request of a %s holder, and no work of the clock [D10.exactMoney] [D10.largestAmount]",
    async (order_type) => {
      const own = await openHarness({ instruments });
      try {
        await quoteAll(own);
        const signer = await own.newKey({ accountId: await own.newAccount() });
        const trade = { ...MARKET, order_type, trade_pair: "BTCUSD" };
        expect((await own.order(trade, { signer })).status).toBe(200);
        const answers = async (): Promise<unknown> =>
          Promise.all(READS.map(async (one) => (await own.get(one, { signer })).status));
        await own.quote("BTCUSD", 1e12, 1e12);
        expect(await answers()).toEqual(READS.map(() => 200));
        await own.pass(86_400_000);
        await own.quote("BTCUSD", 1e12, 1e12);
        expect(await answers()).toEqual(READS.map(() => 200));
        const flat = await own.order({ execution_type: "FLAT_ALL" }, { signer });
        expect([200, 400], flat.text).toContain(flat.status);
        expect(await answers()).toEqual(READS.map(() => 200));
      } finally {
        await own.close();
      }
    },
  );
});

/** Returns a function that draws valid bodies with extreme prices and sizes, and some with usual ones. */
function extremeTrades(seed: string) {
  const draws = createPseudoRandom(seed);
  const pick = <const Values extends readonly [unknown, ...unknown[]]>(
    values: Values,
  ): Values[number] => values[Math.floor(draws.uniform() * values.length)] ?? values[0];
  const chance = (share: number): boolean => draws.uniform() < share;
  return (): object => {
    const pair = PAIRS[Math.floor(draws.uniform() * PAIRS.length)] ?? "EURUSD";
    const near = PRICES[pair];
    const amount = (): number =>
      pick([
        1e9,
        1e-9,
        1e8,
        1e-6,
        near,
        near * 0.99,
        near * 1.01,
        near * 1e5,
        near * 10 ** (draws.uniform() * 18 - 9),
      ]);
    // Most prices are multiples of the tick, so that the checks after the tick check are reached too.
    const onTick = (price: number): number =>
      chance(0.8) ? Math.max(TICKS[pair], Math.round(price / TICKS[pair]) * TICKS[pair]) : price;
    const price = (): number => Math.min(1e9, Math.max(1e-9, onTick(amount())));
    const size = pick([
      { quantity: pick([0.01, 1, 8, 1e9, 1e-9]) },
      { value: pick([10, 50_000, 1e9, 1e-9]) },
      { leverage: pick([0.1, 5, 1e9, 1e-9]) },
    ]);
    const legs = {
      ...(chance(0.4) ? { stop_loss: price() } : {}),
      ...(chance(0.3) ? { take_profit: price() } : {}),
      ...(chance(0.2)
        ? { trailing_stop: chance(0.5) ? { trailing_value: price() } : { trailing_percent: 0.5 } }
        : {}),
    };
    const order_type = pick(["LONG", "SHORT"]);
    const common = { trade_pair: pair, order_type };
    switch (pick(["MARKET", "MARKET", "LIMIT", "STOP_LIMIT", "BRACKET"])) {
      case "LIMIT":
        return { execution_type: "LIMIT", ...common, ...size, ...legs, limit_price: price() };
      case "STOP_LIMIT":
        return {
          execution_type: "STOP_LIMIT",
          ...common,
          ...size,
          ...legs,
          limit_price: price(),
          stop_price: price(),
          stop_condition: pick(["GTE", "LTE"]),
        };
      case "BRACKET":
        return { execution_type: "BRACKET", trade_pair: pair, ...legs, stop_loss: price() };
      case "MARKET":
        return { execution_type: "MARKET", ...common, ...size, ...legs };
    }
  };
}

/** Each round has 20 bodies, so there are 1,000 at depth 1. */
const ROUNDS = scaledCount(50);

describe("extreme bodies", () => {
  test("preview and orders answer alike, and never with 500 [D10.exactMoney] [D9.preview]", async () => {
    const next = extremeTrades(`exact money ${SEED}`);
    const counts = new Map<string, number>();
    let accountId = await service.newAccount();
    for (let round = 0; round < ROUNDS; round += 1) {
      // Each round has fresh budgets, and every tenth an account without positions.
      await service.pass(60_000);
      await quoteAll(service);
      if (round % 10 === 0) accountId = await service.newAccount();
      const signer = await service.newKey({ accountId });
      for (let one = 0; one < 20; one += 1) {
        const trade = next();
        const outcome = outcomeOf(trade, await both(service, trade, signer));
        counts.set(outcome, (counts.get(outcome) ?? 0) + 1);
      }
    }
    expect([...counts.keys()].toSorted()).toEqual(["accepted", "out of range", "refused"]);
    expect(Math.min(...counts.values())).toBeGreaterThan(ROUNDS);
  });
});

/** The common outcome of the preview and the order. @throws when the statuses differ, or are neither 200 nor 400. */
function outcomeOf(trade: object, { preview, order }: Awaited<ReturnType<typeof both>>): string {
  const what = `${JSON.stringify(trade)} ${preview.text} ${order.text}`;
  expect([200, 400], what).toContain(preview.status);
  expect(order.status, what).toBe(preview.status);
  if (order.status === 200) return "accepted";
  return order.text.includes("out of range") ? "out of range" : "refused";
}

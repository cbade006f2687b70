import { beforeAll, describe, expect, test } from "vitest";
import { loadCatalogue } from "../../../market/src/catalogue/catalogue.ts";
import { createPseudoRandom, type PseudoRandom } from "../../../market/src/prices/pseudo-random.ts";
import { createOperatorClient } from "../testing/operator-client.ts";
import { openPagedService, type PagedService } from "../testing/page-client.ts";

/** The first price of each pair. A price moves by whole ticks, as in a feed. */
const MARKETS = {
  EURUSD: { price: 1.1, decimals: 5 },
  USDJPY: { price: 150.123, decimals: 3 },
  EURJPY: { price: 165.371, decimals: 3 },
  XAUUSD: { price: 2_611.37, decimals: 2 },
  BTCUSD: { price: 104_033.45, decimals: 2 },
  ETHUSD: { price: 3_333.33, decimals: 2 },
};
type Pair = keyof typeof MARKETS;
const PAIRS: readonly Pair[] = ["EURUSD", "USDJPY", "EURJPY", "XAUUSD", "BTCUSD", "ETHUSD"];

const DIGITS_MAX = 12;
const MONEY_DECIMALS = 6;

/** The numbers, also those in strings, with more digits than a price or ratio has, and more decimals than money has. */
function noisyNumbers(text: string): readonly string[] {
  const numbers = text.match(/-?\d+\.\d+(?:[eE][-+]?\d+)?/g) ?? [];
  return numbers.filter((number) => {
    const [digits = "", exponent = "0"] = number.toLowerCase().split("e");
    const [, decimals = ""] = digits.split(".");
    const significant = digits.replace(/[-.]/g, "").replace(/^0+/, "");
    return significant.length > DIGITS_MAX && decimals.length - Number(exponent) > MONEY_DECIMALS;
  });
}

/** A random MARKET or LIMIT order sized by leverage or by value, a BRACKET with a trailing stop, or a FLAT. */
function randomTrade(draws: PseudoRandom): object {
  const trade_pair = PAIRS[Math.floor(draws.uniform() * PAIRS.length)];
  const amount = 0.01 + draws.uniform() / 7;
  const size = draws.uniform() < 0.5 ? { leverage: amount } : { value: 100_000 * amount + 1 / 3 };
  const order_type = draws.uniform() < 0.7 ? "LONG" : "SHORT";
  const order = { trade_pair, order_type, ...size };
  const kind = draws.uniform();
  if (kind < 0.7) return { execution_type: "MARKET", ...order };
  if (kind < 0.85) return { execution_type: "LIMIT", ...order, limit_price: 1 / (3 * amount) };
  if (kind < 0.95) {
    const trailing_stop = { trailing_percent: 0.013 };
    return { execution_type: "BRACKET", trade_pair, trailing_stop };
  }
  return { execution_type: "MARKET", trade_pair, order_type: "FLAT" };
}

test("the check finds what it is for, and lets money pass", () => {
  const text = '{"price":104033.45000000001,"ratio":0.3333333333333333,"usd":123456789.123456}';
  expect(noisyNumbers(text)).toEqual(["104033.45000000001", "0.3333333333333333"]);
});

describe("no number of any answer carries arithmetic noise [D10.noNoise]", () => {
  let service: PagedService;
  let texts: Map<string, string>;

  beforeAll(async () => {
    // Random prices are not multiples of the tick, so the pairs have no price step here: otherwise no leg would be
    // placed.
    const own = [...(await loadCatalogue(null)).instruments];
    const instruments = new Map(own.map(([id, one]) => [id, { ...one, priceStep: null }]));
    service = await openPagedService({ harness: { instruments } });
    texts = new Map();
    await tradeAtRandom();
    await readAll();
    return () => service.close();
  });

  const keep = (name: string, text: string): void => void texts.set(name, text);

  async function quoteAll(draws: PseudoRandom): Promise<void> {
    for (const pair of PAIRS) {
      const { price, decimals } = MARKETS[pair];
      const moved = price * (1 + 0.004 * draws.normal());
      const bid = Number(moved.toFixed(decimals));
      await service.quote(pair, bid, Number((bid * 1.0001).toFixed(decimals)));
    }
  }

  async function tradeAtRandom(): Promise<void> {
    const draws = createPseudoRandom("no noise");
    let nonce = 0;
    for (let step = 0; step < 120; step += 1) {
      if (step % 15 === 0) await service.pass(61_000);
      await quoteAll(draws);
      const trade = randomTrade(draws);
      const body = JSON.stringify({ trade });
      const signer = await service.newKey();
      const preview = await service.call("/api/v1/trading/preview", {
        method: "POST",
        body,
        signer,
      });
      keep(`preview ${step}`, preview.text);
      nonce += 1;
      const answer = await service.order(trade, { signer, nonce: `order-${nonce}` });
      keep(`order ${step}`, answer.text);
      const receipt = await service.get(`receipts/order-${nonce}`, { signer });
      keep(`receipt ${step}`, receipt.text);
    }
  }

  async function readAll(): Promise<void> {
    const id = service.accountId;
    const signer = await service.newKey();
    for (const endpoint of ["account", "positions", "orders", "trades", "payouts", "instruments"]) {
      keep(endpoint, (await service.get(endpoint, { signer })).text);
    }
    keep("quotes", (await service.get("quotes", { signer })).text);
    for (const pair of PAIRS) {
      const query = `tradePair=${pair}&interval=1m`;
      keep(`candles ${pair}`, (await service.get(`candles?${query}`, { signer })).text);
      keep(`page candles ${pair}`, JSON.stringify(await service.data(`/candles?${query}`)));
    }
    const { trades } = await service.data<{ trades: readonly { id: string }[] }>(
      `/accounts/${id}/trades`,
    );
    const calls = ["state", "trades", "equity", "cycles", "objectives", "journal", "payouts"];
    const paths = [
      "/accounts",
      ...calls.map((call) => `/accounts/${id}/${call}`),
      ...trades.map((trade) => `/accounts/${id}/trades/${trade.id}/fills`),
    ];
    const pages = `http://127.0.0.1:${service.port}/pages-of-a-test`;
    for (const path of paths) {
      const response = await fetch(`${pages}${path}`, { headers: { "x-test-person": "owner" } });
      keep(`page ${path}`, await response.text());
    }
    const stream = await service.stream(`/accounts/${id}/live`);
    const reader = stream.setEncoding("utf8")[Symbol.asyncIterator]();
    let live = "";
    while (!live.includes("data: ")) live += (await reader.next()).value;
    stream.destroy();
    keep("live", live);
    for (const path of ["/accounts", "/programs", "/instruments", "/health", "/payouts"]) {
      const { body } = await createOperatorClient(service).call("GET", path);
      keep(`operator ${path}`, JSON.stringify(body));
    }
  }

  test("no number carries arithmetic noise after random trading, in JSON, in its texts and in the live stream", () => {
    const accepted = [...texts].filter(
      ([name, text]) => /^order/.test(name) && /filled/.test(text),
    );
    expect(accepted.length).toBeGreaterThan(50);
    expect(texts.get("trades")).toContain("closePriceNumeric");
    expect(texts.get("positions")).toContain("averageEntryPrice");
    const noisy = [...texts].flatMap(([name, text]) =>
      noisyNumbers(text).map((number) => `${name}: ${number}`),
    );
    expect(noisy).toEqual([]);
  });
});

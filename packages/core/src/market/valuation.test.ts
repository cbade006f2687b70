import { describe, expect, test } from "vitest";
import { pairId } from "../ids.ts";
import { TEST_CATALOGUE } from "../testing/catalogue.ts";
import { createTestMarket } from "../testing/test-account.ts";
import { dollars, price, quantity } from "../units.ts";
import { baseUnits } from "./lot-unit.ts";
import { gainUsd, notionalUsd, usdRate, usdRateAt } from "./valuation.ts";

const instrumentOf = (pair: string) => {
  const found = TEST_CATALOGUE.get(pairId(pair));
  if (found === undefined) throw new Error(`${pair} is in the catalogue`);
  return found;
};
const size = (lots: number) => quantity(Math.round(lots * 100_000));

describe("values in USD [D4.pnlRate]", () => {
  test("half a lot of gold is 50 ounces: worth 100,000 at 2,000, and 50 more for each dollar [S2.2.lotUnit]", () => {
    const gold = instrumentOf("XAUUSD");
    expect(baseUnits(gold, size(0.5))).toBe(50);
    const at = { quantity: size(0.5), price: price(2_000), usdRate: 1 };
    expect(dollars(notionalUsd(gold, at))).toBe(100_000);
    const move = { ...at, from: price(2_000), price: price(2_001) };
    expect(dollars(gainUsd(gold, move))).toBe(50);
  });

  test("0.11 lot of EURUSD at 1.1 is worth 12,100", () => {
    const at = { quantity: size(0.11), price: price(1.1), usdRate: 1 };
    expect(dollars(notionalUsd(instrumentOf("EURUSD"), at))).toBe(12_100);
  });

  test.each([
    // Each row: the pair, the lots, the entry price, the present price, the value and the gain.
    ["BTCUSD", 0.39977, 50_002.5, 50_092.35, 20_025.41876, 35.919335],
    ["BTCUSD", 0.39977, 50_092.35, 50_002.5, 19_989.499425, -35.919335],
    ["ETHUSD", 13.74327, 2486.73, 2495.45, 34_295.643122, 119.841314],
    ["ETHUSD", 22.87183, 2477.18, 2476.93, 56_651.921882, -5.717958],
    // The entry is the average of two fills, 0.5 at 100.01 and 1 at 100.02: 1.5 × 100.035 − 150.025 is 0.0275.
    ["BTCUSD", 1.5, 150.025 / 1.5, 100.035, 150.0525, 0.0275],
    ["BTCUSD", 0.00001, 33.35, 33.4, 0.000334, 0.000001],
  ])(
    "of %s, %d from %d to %d, an exact half of 0.000001 USD rounds away from zero",
    (pair, held, from, to, worth, gain) => {
      const move = { quantity: size(held), from: price(from), price: price(to), usdRate: 1 };
      expect(dollars(notionalUsd(instrumentOf(pair), move))).toBe(worth);
      expect(dollars(gainUsd(instrumentOf(pair), move))).toBe(gain);
    },
  );

  test("a whole number and what is not a half keep their nearest, also of large amounts", () => {
    const dollar = { quantity: size(1), from: price(1), usdRate: 1 };
    const gold = instrumentOf("XAUUSD");
    for (const [at, gain] of [
      [80_000_000, 7_999_999_900],
      [60_000_000.003, 5_999_999_900.3],
      [1.00000000499, 0],
      [1.000000005001, 0.000001],
    ] as const) {
      expect(dollars(gainUsd(gold, { ...dollar, price: price(at) }))).toBe(gain);
    }
  });

  test("profit in yen converts at the price of the yen pair: 150,000 / 151.50", () => {
    const pair = instrumentOf("USDJPY");
    const mark = price(151.5);
    const rate = usdRateAt(pair, mark, createTestMarket({}));
    expect(rate).not.toBeNull();
    const move = { quantity: size(1), from: price(150), price: mark, usdRate: rate ?? 0 };
    expect(dollars(gainUsd(pair, move))).toBe(990.09901);
    expect(dollars(notionalUsd(pair, move))).toBe(100_000);
  });

  test("a cross converts at the mid of its quote currency, listed as USDJPY or as GBPUSD", () => {
    const market = createTestMarket({ USDJPY: [149.9, 150.1], GBPUSD: [1.24, 1.26] });
    expect(usdRateAt(instrumentOf("EURJPY"), price(160), market)).toBe(1 / 150);
    expect(usdRate("GBP", market)).toBe(1.25);
    expect(usdRate("USD", market)).toBe(1);
  });

  test("a currency without a quote has no rate, and none is guessed", () => {
    const market = createTestMarket({ EURJPY: 160 });
    expect(usdRateAt(instrumentOf("EURJPY"), price(160), market)).toBeNull();
    expect(usdRate("SEK", market)).toBeNull();
  });
});

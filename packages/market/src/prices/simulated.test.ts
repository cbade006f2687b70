import { pairId, price, type Quote, ratio, unixMs } from "@propgate/core";
import { describe, expect, test } from "vitest";
import { madeInstrument } from "../../../server/src/testing/made-instrument.ts";
import { madeQuote } from "../../../server/src/testing/made-quote.ts";
import { priceSourceSuite } from "./port.suite.ts";
import { createSimulatedSource } from "./simulated.ts";
import { createSimulatedMarket, type SimulatedInstrument } from "./simulated-market.ts";

const BTC: SimulatedInstrument = {
  instrument: madeInstrument("BTCUSD", { tick: price(0.5), spreadRatio: ratio(0.0001) }),
  parameters: { referencePrice: 60_000, annualVolatility: 0.6 },
};

function forex(id: string, referencePrice: number): SimulatedInstrument {
  return {
    instrument: madeInstrument(id, { assetClass: "forex", spreadRatio: ratio(0.00001) }),
    parameters: { referencePrice, annualVolatility: 0.08 },
  };
}

const NOON = 1_700_049_600_000;

priceSourceSuite("simulated", async ({ clock, ticker }) =>
  createSimulatedSource({
    seed: "one",
    instruments: [BTC, forex("EURUSD", 1.1)],
    quotes: new Map(),
    clock,
    ticker,
  }),
);

function run(options: Partial<Parameters<typeof createSimulatedMarket>[0]>, steps: number) {
  const market = createSimulatedMarket({
    seed: "one",
    instruments: [BTC],
    from: new Map(),
    ...options,
  });
  const quotes: (readonly Quote[])[] = [];
  for (let step = 0; step < steps; step += 1)
    quotes.push(market.next(unixMs(NOON + step * 60_000)));
  return quotes;
}

function middle(quote: Quote | undefined): number {
  return quote === undefined ? Number.NaN : (quote.bid + quote.ask) / 2;
}

describe("simulated market", () => {
  test("the simulated market starts at the reference price, on whole ticks [D6.ticks]", () => {
    const [[first] = []] = run({}, 1);
    expect(middle(first)).toBeGreaterThan(59_990);
    expect(middle(first)).toBeLessThan(60_010);
    const all = run({}, 500).flat();
    expect(all.every(({ bid, ask }) => bid % 0.5 === 0 && ask % 0.5 === 0 && bid < ask)).toBe(true);
  });

  test("another seed is another market", () => {
    expect(run({ seed: "two" }, 50)).not.toEqual(run({ seed: "one" }, 50));
  });

  test("an instrument's prices do not depend on the other instruments", () => {
    const alone = run({ instruments: [BTC] }, 200).flat();
    const among = run({ instruments: [forex("EURUSD", 1.1), BTC] }, 200).flat();
    expect(among.filter(({ pair }) => pair === "BTCUSD")).toEqual(alone);
  });

  test("the simulated market moves about as much as its volatility says", () => {
    const days = 40;
    const prices = run({}, days * 1440)
      .flat()
      .map(middle);
    const moves = prices.slice(1).map((now, index) => Math.log(now / (prices[index] ?? now)));
    const variance = moves.reduce((sum, move) => sum + move * move, 0) / moves.length;
    const annual = Math.sqrt(variance * 525_600);
    expect(annual).toBeGreaterThan(0.4);
    expect(annual).toBeLessThan(1);
  });

  test("the simulated market has hours of low and high volatility, and jumps", () => {
    const prices = run({}, 40 * 1440)
      .flat()
      .map(middle);
    const moves = prices.slice(1).map((now, index) => Math.log(now / (prices[index] ?? now)));
    const deviation = Math.sqrt(moves.reduce((sum, move) => sum + move * move, 0) / moves.length);
    const kurtosis = moves.reduce((sum, move) => sum + (move / deviation) ** 4, 0) / moves.length;
    expect(kurtosis).toBeGreaterThan(4);
  });

  test("crosses agree with their pairs", () => {
    const instruments = [forex("EURUSD", 1.1), forex("USDJPY", 150), forex("EURJPY", 165)];
    for (const quotes of run({ instruments }, 300)) {
      const of = (id: string) => middle(quotes.find(({ pair }) => pair === pairId(id)));
      expect(of("EURUSD") * of("USDJPY")).toBeCloseTo(of("EURJPY"), 1);
    }
  });

  test("a closed market publishes nothing, and reopens near its last price", () => {
    // The run starts at 12:00 UTC. The market pauses from 12:10 to 13:00.
    const weekly = [
      { fromDay: 0, fromMinute: 0, toDay: 3, toMinute: 730 },
      { fromDay: 3, fromMinute: 780, toDay: 6, toMinute: 1440 },
    ];
    const session = { ...BTC.instrument.session, weekly };
    const instruments = [{ ...BTC, instrument: { ...BTC.instrument, session } }];
    const quotes = run({ instruments }, 100);
    expect(quotes.slice(10, 60).flat()).toEqual([]);
    const before = middle(quotes[9]?.[0]);
    expect(Math.abs(middle(quotes[61]?.[0]) / before - 1)).toBeLessThan(0.05);
  });

  test("the simulated market continues from the newest known prices", () => {
    const from = new Map([[pairId("BTCUSD"), madeQuote("BTCUSD", 29_999, 30_001, 1)]]);
    const [[first] = []] = run({ from }, 1);
    expect(Math.abs(middle(first) - 30_000)).toBeLessThan(10);
  });
});

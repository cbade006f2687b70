import { describe, expect, test } from "vitest";
import { type PairId, pairId } from "../ids.ts";
import { TEST_CATALOGUE } from "../testing/catalogue.ts";
import { price, unixMs } from "../units.ts";
import type { Instrument } from "./instrument.ts";
import type { Quote, QuoteStanding } from "./quote.ts";
import { staleRateOf, valuationInstruments } from "./valuation-instruments.ts";

/** A Monday, when currencies are traded. */
const OPEN_MS = unixMs(Date.parse("2026-01-05T12:00:00Z"));
/** A Sunday, when currencies are not traded and crypto is. */
const CLOSED_MS = unixMs(Date.parse("2026-01-04T12:00:00Z"));
const RATE = pairId("USDJPY");

function instrumentOf(id: string): Instrument {
  const found = TEST_CATALOGUE.get(pairId(id));
  if (found === undefined) throw new Error(`the catalogue has no ${id}`);
  return found;
}

function momentAt(now: typeof OPEN_MS, ageMs: number, standing?: QuoteStanding) {
  const quote: Quote = {
    pair: RATE,
    bid: price(150),
    ask: price(150),
    atMs: unixMs(now - ageMs),
    ...(standing === undefined ? {} : { standing }),
  };
  const quotes: ReadonlyMap<PairId, Quote> = new Map([[RATE, quote]]);
  return { now, quotes, instruments: TEST_CATALOGUE };
}

describe("the rate behind the value of a pair [D12.staleRate]", () => {
  const cross = instrumentOf("EURJPY");

  test.each([
    ["as old as the limit is fresh", OPEN_MS, 60_000, undefined, null],
    ["a millisecond older is stale", OPEN_MS, 60_001, undefined, 60_001],
    ["halted is stale at any age", OPEN_MS, 0, "halted", 0],
    ["of a closed market counts at any age", CLOSED_MS, 86_400_000, undefined, null],
    ["that is halted is stale in a closed market too", CLOSED_MS, 86_400_000, "halted", 86_400_000],
  ] as const)("a rate %s", (_what, now, ageMs, standing, staleMs) => {
    const stale = staleRateOf(cross, momentAt(now, ageMs, standing));
    expect(stale).toEqual(staleMs === null ? null : { pair: RATE, ageMs: staleMs });
  });

  test("a pair with USD is valued by its own price alone", () => {
    const moment = momentAt(OPEN_MS, 3_600_000);
    for (const id of ["USDJPY", "EURUSD", "BTCUSD"]) {
      const own = instrumentOf(id);
      expect(valuationInstruments(own, moment)).toEqual([own]);
      expect(staleRateOf(own, moment)).toBeNull();
    }
    expect(valuationInstruments(cross, moment)).toEqual([cross, instrumentOf("USDJPY")]);
  });
});

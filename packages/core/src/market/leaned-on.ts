/** The quotes that a value leans on: the pair's own, and the one that converts it to USD. */
import type { PairId } from "../ids.ts";
import type { UnixMs } from "../units.ts";
import type { Instrument } from "./instrument.ts";
import { isFresh, isOpen } from "./trading.ts";
import { type PricedMarket, ratePairs } from "./valuation.ts";

/**
 * The pair itself, and the pair whose quote converts its prices to USD: the first of its rate pairs that has a quote,
 * or else the first that the catalogue knows. @rule D4.pnlRate
 */
export function leanedOn(
  instrument: Instrument,
  { instruments, quotes }: PricedMarket,
): readonly Instrument[] {
  const rates = ratePairs(instrument).flatMap((pair) => instruments.get(pair) ?? []);
  const rate = rates.find(({ id }) => quotes.get(id) !== undefined) ?? rates[0];
  return rate === undefined ? [instrument] : [instrument, rate];
}

/** A conversion rate that is not fresh although its market is open, or whose pair is halted. */
export interface StaleRate {
  readonly pair: PairId;
  readonly ageMs: number;
}

/**
 * Null when the rate is fresh, when its market is closed, so that its last quote counts, and for a pair that needs no
 * rate or whose rate has no quote. @rule D12.staleRate
 */
export function staleRateOf(
  instrument: Instrument,
  moment: PricedMarket & { readonly now: UnixMs },
): StaleRate | null {
  const { now, quotes } = moment;
  const [, rate] = leanedOn(instrument, moment);
  const quote = rate === undefined ? undefined : quotes.get(rate.id);
  if (rate === undefined || quote === undefined || isFresh(quote, rate, now)) return null;
  if (quote.standing !== "halted" && !isOpen(rate.session, now)) return null;
  return { pair: rate.id, ageMs: Math.max(0, now - quote.atMs) };
}

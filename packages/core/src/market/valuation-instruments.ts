/** The quotes that a value depends on: the pair's own quote, and the quote that converts it to USD. */
import type { PairId } from "../ids.ts";
import type { UnixMs } from "../units.ts";
import type { Instrument } from "./instrument.ts";
import { isFresh, isOpen } from "./trading.ts";
import { type PricedMarket, ratePairs } from "./valuation.ts";

/**
 * The instruments whose quotes give the value: the pair itself and, when its prices need a conversion, the pair that
 * converts them to USD. The converting pair is the first rate pair with a quote, or else the first that the catalogue
 * knows. @rule D4.pnlRate
 */
export function valuationInstruments(
  instrument: Instrument,
  { instruments, quotes }: PricedMarket,
): readonly Instrument[] {
  const rates = ratePairs(instrument).flatMap((pair) => instruments.get(pair) ?? []);
  const rate = rates.find(({ id }) => quotes.get(id) !== undefined) ?? rates[0];
  return rate === undefined ? [instrument] : [instrument, rate];
}

/** A conversion rate that is not fresh: its quote is too old although its market is open, or its pair is halted. */
export interface StaleRate {
  readonly pair: PairId;
  readonly ageMs: number;
}

/**
 * The stale rate of the instrument. Null when the rate is fresh, when its market is closed and its last quote counts,
 * when the pair needs no rate, and when the rate has no quote. @rule D12.staleRate
 */
export function staleRateOf(
  instrument: Instrument,
  moment: PricedMarket & { readonly now: UnixMs },
): StaleRate | null {
  const { now, quotes } = moment;
  const [, rate] = valuationInstruments(instrument, moment);
  const quote = rate === undefined ? undefined : quotes.get(rate.id);
  if (rate === undefined || quote === undefined || isFresh(quote, rate, now)) return null;
  if (quote.standing !== "halted" && !isOpen(rate.session, now)) return null;
  return { pair: rate.id, ageMs: Math.max(0, now - quote.atMs) };
}

import { assert } from "../assert.ts";
import type { PairId } from "../ids.ts";
import { ok, type Result, refuse } from "../result.ts";
import type { Price, UnixMs } from "../units.ts";
import type { Instrument } from "./instrument.ts";
import type { Quote } from "./quote.ts";
import { isFresh, isOpen } from "./trading.ts";
import { type PricedMarket, usdRateAt } from "./valuation.ts";
import { type StaleRate, staleRateOf } from "./valuation-instruments.ts";

/** A pair that can be traded now: its instrument, a fresh quote and the rate of its quote currency to USD. */
export interface Market {
  readonly instrument: Instrument;
  readonly quote: Quote;
  /** USD for one unit of the quote currency when the price of the pair is `price`. */
  readonly usdRateAt: (price: Price) => number;
  /**
   * The stale conversion rate; null when the rate is fresh. While it is stale, no order opens or adds.
   * @rule D12.staleRate
   */
  readonly staleRate: StaleRate | null;
}

/** The reason why a pair cannot be traded at present. */
export type NotLiveReason =
  | { readonly code: "marketClosed"; readonly pair: PairId }
  | { readonly code: "noFreshQuote"; readonly pair: PairId }
  | { readonly code: "noConversionRate"; readonly currency: string };

/**
 * The market of a pair, at which orders may fill. The result is a refusal unless the market is open, its quote is fresh
 * and its rate to USD is known. @rule D5.freshQuote decides
 */
export function liveMarket(
  moment: PricedMarket & { readonly now: UnixMs },
  instrument: Instrument,
): Result<Market, NotLiveReason> {
  const pair = instrument.id;
  if (!isOpen(instrument.session, moment.now)) return refuse({ code: "marketClosed", pair });
  const quote = moment.quotes.get(pair);
  if (quote === undefined || !isFresh(quote, instrument, moment.now)) {
    return refuse({ code: "noFreshQuote", pair });
  }
  const rateAt = (at: Price): number | null => usdRateAt(instrument, at, moment);
  if (rateAt(quote.bid) === null) {
    return refuse({ code: "noConversionRate", currency: instrument.quote });
  }
  const staleRate = staleRateOf(instrument, moment);
  return ok({ instrument, quote, usdRateAt: (at) => requireRate(rateAt(at)), staleRate });
}

function requireRate(rate: number | null): number {
  assert(rate !== null, "a rate that depends on the quotes, not on the price");
  return rate;
}

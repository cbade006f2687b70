import { assert } from "../assert.ts";
import type { PairId } from "../ids.ts";
import { ok, type Result, refuse } from "../result.ts";
import type { Price, UnixMs } from "../units.ts";
import type { Instrument } from "./instrument.ts";
import { type StaleRate, staleRateOf } from "./leaned-on.ts";
import type { Quote } from "./quote.ts";
import { isFresh, isOpen } from "./trading.ts";
import { type PricedMarket, usdRateAt } from "./valuation.ts";

/** A pair that can be traded now: its instrument, a live quote and its rate to USD. */
export interface Market {
  readonly instrument: Instrument;
  readonly quote: Quote;
  /** USD for one unit of the quote currency at this price of the pair. */
  readonly usdRateAt: (price: Price) => number;
  /** Set while the rate is stale: then nothing opens or adds. @rule D12.staleRate */
  readonly staleRate: StaleRate | null;
}

/** Why a pair cannot be traded now. */
export type NotLive =
  | { readonly code: "marketClosed"; readonly pair: PairId }
  | { readonly code: "noFreshQuote"; readonly pair: PairId }
  | { readonly code: "noConversionRate"; readonly currency: string };

/** Requires an open market, a fresh quote and a known rate. @rule D5.freshQuote decides */
export function liveMarket(
  moment: PricedMarket & { readonly now: UnixMs },
  instrument: Instrument,
): Result<Market, NotLive> {
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
  return ok({ instrument, quote, usdRateAt: (at) => known(rateAt(at)), staleRate });
}

function known(rate: number | null): number {
  assert(rate !== null, "a rate that depends on the quotes, not on the price");
  return rate;
}

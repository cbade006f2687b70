import type { QuoteItem } from "@propgate/contract";
import { isFresh, type Moment, type PairId } from "@propgate/core";

/**
 * Quotes in the API's form, sorted by pair: those of `pairs`, or of the whole catalogue when `pairs` is null. Pairs
 * without a quote are left out. `isStale` is true for a quote at which no order fills. @rule D9.quotes decides
 */
export function quoteViews(
  { now, quotes, instruments }: Pick<Moment, "now" | "quotes" | "instruments">,
  pairs: readonly PairId[] | null,
): readonly QuoteItem[] {
  const wanted = (pairs ?? [...instruments.keys()]).toSorted();
  return wanted.flatMap((pair) => {
    const quote = quotes.get(pair);
    const instrument = instruments.get(pair);
    if (quote === undefined || instrument === undefined) return [];
    const { bid, ask, atMs } = quote;
    return { tradePair: pair, bid, ask, atMs, isStale: !isFresh(quote, instrument, now) };
  });
}

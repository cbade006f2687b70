import type { PairId, Price, UnixMs } from "@propgate/core";
import { compareQuotePositions } from "@propgate/ledger";
import { indexesToKeep } from "./kept-quotes.ts";
import type { NumberedQuote, QuoteRange } from "./numbered-quote.ts";

/** The maximum number of waiting quotes of a pair. When there are more, merging removes some of them. */
export const WAITING_MAX = 15;

/**
 * Quotes that have arrived while accounts settle at earlier ones. Up to `WAITING_MAX` quotes of a pair wait unchanged.
 * When one more arrives, they are merged: only the quotes that `indexesToKeep` chooses stay. A kept quote is never
 * composed of two quotes. Its `range` also covers the removed quotes before it.
 */
export interface WaitingQuotes {
  add(quote: NumberedQuote): void;
  /** Removes and returns the quotes of all pairs except these, in the order of their numbers. */
  takeExcept(held: Pick<ReadonlySet<PairId>, "has">): readonly NumberedQuote[];
  /** Puts quotes back that `takeExcept` returned, before the quotes of their pairs that have come since. */
  putBack(quotes: readonly NumberedQuote[]): void;
  readonly size: number;
  /** The first waiting quote of each pair. */
  firstQuotes(): readonly NumberedQuote[];
  /** When the longest waiting quote was received; null when none waits. */
  oldestReceivedAtMs(): UnixMs | null;
}

/** Creates an empty queue. `onMerged` is called with the number of quotes that a merge has removed. */
export function createWaitingQuotes(onMerged: (removed: number) => void): WaitingQuotes {
  const pairs = new Map<PairId, readonly NumberedQuote[]>();
  let size = 0;

  const set = (pair: PairId, quotes: readonly NumberedQuote[]): void => {
    const kept = quotes.length > WAITING_MAX ? mergeQuotes(quotes) : quotes;
    if (kept.length < quotes.length) onMerged(quotes.length - kept.length);
    size += kept.length - (pairs.get(pair)?.length ?? 0);
    pairs.set(pair, kept);
  };

  return {
    get size() {
      return size;
    },
    add: (quote) => set(quote.pair, [...(pairs.get(quote.pair) ?? []), quote]),
    takeExcept(held) {
      const taken: NumberedQuote[] = [];
      for (const [pair, quotes] of pairs) {
        if (held.has(pair)) continue;
        taken.push(...quotes);
        pairs.delete(pair);
      }
      size -= taken.length;
      return taken.sort(compareQuotePositions);
    },
    putBack(quotes) {
      // The quotes are put back in reverse order, each in front of the quotes of its pair.
      for (const quote of quotes.toReversed()) {
        set(quote.pair, [quote, ...(pairs.get(quote.pair) ?? [])]);
      }
    },
    firstQuotes: () => [...pairs.values()].flatMap(([first]) => first ?? []),
    oldestReceivedAtMs() {
      let oldest: UnixMs | null = null;
      for (const [first] of pairs.values()) {
        if (first === undefined) continue;
        if (oldest === null || first.receivedAtMs < oldest) oldest = first.receivedAtMs;
      }
      return oldest;
    },
  };
}

/** The quotes that merging keeps, each with the price range of all quotes since the previous kept one. */
function mergeQuotes(quotes: readonly NumberedQuote[]): readonly NumberedQuote[] {
  const places = indexesToKeep(quotes);
  const kept: NumberedQuote[] = [];
  let range: QuoteRange | null = null;
  for (const [place, quote] of quotes.entries()) {
    range = range === null ? quote.range : joinRanges(range, quote.range);
    if (!places.has(place)) continue;
    kept.push(range === quote.range ? quote : { ...quote, range });
    range = null;
  }
  return kept;
}

function joinRanges(one: QuoteRange, other: QuoteRange): QuoteRange {
  return {
    lowBid: lower(one.lowBid, other.lowBid),
    highBid: higher(one.highBid, other.highBid),
    lowAsk: lower(one.lowAsk, other.lowAsk),
    highAsk: higher(one.highAsk, other.highAsk),
  };
}

function lower(one: Price, other: Price): Price {
  return one <= other ? one : other;
}

function higher(one: Price, other: Price): Price {
  return one >= other ? one : other;
}

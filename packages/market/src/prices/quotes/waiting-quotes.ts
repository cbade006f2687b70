import type { PairId, Price, UnixMs } from "@propgate/core";
import { comparePlaces } from "@propgate/ledger";
import { keptPlaces } from "./kept-quotes.ts";
import type { NumberedQuote, QuoteRange } from "./numbered-quote.ts";

/** The maximum number of waiting quotes of a pair, which is the number that merging can keep. */
export const WAITING_MAX = 15;

/**
 * Quotes that arrived while earlier ones are settled. Up to `WAITING_MAX` of a pair wait as they are;
 * then they merge: only those that `keptPlaces` names stay. Each is a quote that really came, never
 * the bid of one with the ask of another. Its range covers the quotes before it that were merged
 * away.
 */
export interface WaitingQuotes {
  add(quote: NumberedQuote): void;
  /** Removes and returns the quotes of all other pairs than these, in order of number. */
  takeExcept(held: Pick<ReadonlySet<PairId>, "has">): readonly NumberedQuote[];
  /** Adds quotes that it returned earlier, before those of their pairs that came since. */
  putBack(quotes: readonly NumberedQuote[]): void;
  readonly size: number;
  /** The first waiting quote of each pair. */
  firsts(): readonly NumberedQuote[];
  /** When the longest waiting quote was received; null when there is none. */
  oldestReceivedAtMs(): UnixMs | null;
}

/** `onMerged` is called with the number of quotes that a merge removed. */
export function createWaitingQuotes(onMerged: (removed: number) => void): WaitingQuotes {
  const pairs = new Map<PairId, readonly NumberedQuote[]>();
  let size = 0;

  const set = (pair: PairId, quotes: readonly NumberedQuote[]): void => {
    const kept = quotes.length > WAITING_MAX ? merged(quotes) : quotes;
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
      return taken.sort(comparePlaces);
    },
    putBack(quotes) {
      // From the last to the first, each in front of those that came after it.
      for (const quote of quotes.toReversed()) {
        set(quote.pair, [quote, ...(pairs.get(quote.pair) ?? [])]);
      }
    },
    firsts: () => [...pairs.values()].flatMap(([first]) => first ?? []),
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

/** The kept quotes, each with the price range of all quotes since the previous kept one. */
function merged(quotes: readonly NumberedQuote[]): readonly NumberedQuote[] {
  const places = keptPlaces(quotes);
  const kept: NumberedQuote[] = [];
  let range: QuoteRange | null = null;
  for (const [place, quote] of quotes.entries()) {
    range = range === null ? quote.range : both(range, quote.range);
    if (!places.has(place)) continue;
    kept.push(range === quote.range ? quote : { ...quote, range });
    range = null;
  }
  return kept;
}

function both(one: QuoteRange, other: QuoteRange): QuoteRange {
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

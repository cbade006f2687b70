import { type Instruments, isFresh, type PairId, type UnixMs } from "@propgate/core";
import { compareQuotePositions, isLater, type QuotePosition } from "@propgate/ledger";
import { createWaitingQuotes, type NumberedQuote } from "@propgate/market";

/** The maximum number of quotes kept for each pair. */
const KEPT_MAX = 1_024;

/** The newest quotes of each pair. The feed answers from them when a node has missed quotes. */
export interface QuoteHistory {
  /** Keeps the quote if it is newer than every other quote of its pair. */
  add(quote: NumberedQuote): void;
  /**
   * Returns the kept quotes that are newer than the place (epoch and number) given for their pair, sorted by epoch and
   * number. Quotes at which no order may fill any more are left out, except the newest one of a pair. Many quotes of a
   * pair are merged: those that remain, with their ranges, reach every price that the others reached. A pair without a
   * place gets only its newest quote.
   */
  listNewerThan(places: readonly PairPlace[]): readonly NumberedQuote[];
}

/** A pair, and the place (epoch and number) of the newest quote of the pair that a node has; null when it has none. */
export interface PairPlace {
  readonly pair: PairId;
  readonly after: QuotePosition | null;
}

export function createQuoteHistory(options: {
  readonly instruments: Instruments;
  readonly now: () => UnixMs;
}): QuoteHistory {
  const kept = new Map<PairId, NumberedQuote[]>();

  const isOld = (quote: NumberedQuote): boolean => {
    const instrument = options.instruments.get(quote.pair);
    return instrument === undefined || !isFresh(quote, instrument, options.now());
  };
  const after = ({ pair, after: place }: PairPlace): readonly NumberedQuote[] => {
    const quotes = kept.get(pair) ?? [];
    const newest = quotes.at(-1);
    if (newest === undefined || (place !== null && !isLater(newest, place))) return [];
    if (place === null) return [newest];
    const missed = quotes.filter((quote) => isLater(quote, place));
    const merged = createWaitingQuotes(() => undefined);
    for (const quote of missed) if (quote === newest || !isOld(quote)) merged.add(quote);
    return merged.takeExcept(NO_PAIRS);
  };
  return {
    add(quote) {
      const quotes = kept.get(quote.pair) ?? [];
      const last = quotes.at(-1);
      if (last !== undefined && !isLater(quote, last)) return;
      quotes.push(quote);
      kept.set(quote.pair, quotes);
      // Drops half of the quotes at a time, so that the cost of a quote does not depend on the number of kept ones.
      if (quotes.length >= KEPT_MAX) quotes.splice(0, KEPT_MAX / 2);
    },
    listNewerThan: (places) => places.flatMap(after).sort(compareQuotePositions),
  };
}

const NO_PAIRS: ReadonlySet<PairId> = new Set();

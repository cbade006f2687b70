import type { Instruments, PairId } from "@propgate/core";

/**
 * Why the intake rejects a quote. `crossed`: its bid is above its ask, or a side is invalid. `future`: the venue's time
 * is more than a second ahead of the time of receipt. `closed`: the market was closed at the quote's own time. `late`:
 * it was older than the pair's limit when it came. `older`: it is older than the pair's newest quote. `gap`: it is
 * implausibly far from the last price of the session before, or has the scale from before a split. `outlier`: it is far
 * from the last price and unconfirmed. `halted`: an operator or a check has halted the pair.
 */
export type QuoteRejection =
  | "crossed"
  | "future"
  | "closed"
  | "late"
  | "older"
  | "gap"
  | "outlier"
  | "halted";

export type RejectionCounts = Readonly<Record<QuoteRejection, number>>;

/** How many quotes of one source and pair were rejected, by reason. */
export interface RejectedQuotes {
  readonly source: string;
  /** The pair; null for the sum of all pairs outside the catalogue. */
  readonly pair: PairId | null;
  readonly counts: RejectionCounts;
}

/** Counts rejections. Its size depends on the sources and the catalogue, not on the number of quotes. */
export interface RejectionTally {
  count(quote: { readonly source: string; readonly pair: PairId }, reason: QuoteRejection): void;
  rows(): readonly RejectedQuotes[];
}

export function createRejectionTally(instruments: Instruments): RejectionTally {
  const sources = new Map<string, Map<PairId | null, Record<QuoteRejection, number>>>();

  const countsOf = (source: string, pair: PairId | null): Record<QuoteRejection, number> => {
    const pairs = sources.get(source) ?? new Map<PairId | null, Record<QuoteRejection, number>>();
    sources.set(source, pairs);
    const counts = pairs.get(pair) ?? noRejections();
    pairs.set(pair, counts);
    return counts;
  };

  return {
    count({ source, pair }, reason) {
      const place = instruments.has(pair) ? pair : null;
      countsOf(source, place)[reason] += 1;
    },
    rows: () =>
      [...sources].flatMap(([source, pairs]) =>
        [...pairs].map(([pair, counts]) => ({ source, pair, counts: { ...counts } })),
      ),
  };
}

function noRejections(): Record<QuoteRejection, number> {
  return { crossed: 0, future: 0, closed: 0, late: 0, older: 0, gap: 0, outlier: 0, halted: 0 };
}

import type { Clock } from "@propgate/base";
import type { QuoteItem } from "@propgate/contract";
import type { Instruments, PairId, QuoteMap } from "@propgate/core";
import { quoteViews } from "@propgate/wire";

/** The newest quotes of the market, with the instruments and the clock that determine whether a quote is fresh. */
export interface QuoteSource {
  readonly quotes: QuoteMap;
  readonly instruments: Instruments;
  readonly clock: Clock;
}

/**
 * Makes a function that returns the quotes of these pairs that differ from those it returned before; the first call
 * returns all. A quote differs when its bid, its ask or its freshness does. @rule D9.streamQuotes decides
 */
export function createQuoteChanges(
  { quotes, instruments, clock }: QuoteSource,
  pairs: readonly PairId[],
): () => readonly QuoteItem[] {
  const sent = new Map<string, QuoteItem>();
  return () => {
    const views = quoteViews({ now: clock.now(), quotes, instruments }, pairs);
    const changed = views.filter((view) => !isSame(sent.get(view.tradePair), view));
    for (const view of changed) sent.set(view.tradePair, view);
    return changed;
  };
}

function isSame(before: QuoteItem | undefined, { bid, ask, isStale }: QuoteItem): boolean {
  return before?.bid === bid && before.ask === ask && before.isStale === isStale;
}

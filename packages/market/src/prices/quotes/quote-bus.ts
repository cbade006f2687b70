import type { PairId } from "@propgate/core";
import type { NumberedQuote } from "./numbered-quote.ts";

/** Carries the feed's quotes to all who read them, in order of number. */
export interface QuoteBus {
  publish(quote: NumberedQuote): void;
  /** Calls `listener` with each quote until the returned function is called. */
  subscribe(listener: (quote: NumberedQuote) => void): () => void;
  /** The newest quote of each pair. */
  snapshot(): ReadonlyMap<PairId, NumberedQuote>;
}

/** The bus of one process: listeners are called before `publish` returns. */
export function createLocalBus(): QuoteBus {
  const newest = new Map<PairId, NumberedQuote>();
  const listeners = new Set<(quote: NumberedQuote) => void>();
  return {
    publish(quote) {
      newest.set(quote.pair, quote);
      for (const listener of listeners) listener(quote);
    },
    subscribe(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    snapshot: () => newest,
  };
}

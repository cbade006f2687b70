import type { PairId } from "@propgate/core";
import type { NumberedQuote } from "./numbered-quote.ts";

/** Carries the quotes of the feed to all its listeners, in the order of their numbers. */
export interface QuoteBus {
  publish(quote: NumberedQuote): void;
  /** Calls `listener` with each quote published from now on, until the returned function is called. */
  subscribe(listener: (quote: NumberedQuote) => void): () => void;
  /** The newest quote of each pair that the bus has carried. */
  snapshot(): ReadonlyMap<PairId, NumberedQuote>;
}

/** Creates the bus of one process. It calls all listeners before `publish` returns. */
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

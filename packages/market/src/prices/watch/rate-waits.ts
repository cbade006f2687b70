import type { Clock } from "@propgate/base";
import { type Instruments, type PairId, type Quote, ratePairs, staleRateOf } from "@propgate/core";
import type { QuoteBoard } from "../quote-board.ts";

/**
 * The pairs whose conversion rate is stale, so that their entries wait. The next quote of the rate checks these entries
 * again, so that they need not wait for the next quote of their own pair. @rule D12.staleRate
 */
export interface RateWaits {
  /** Returns the quote itself, and the present quotes of the pairs that have waited for it. */
  withReleased(quote: Quote): readonly Quote[];
  /** Notes that the pair waits for its rate, unless it needs none or the rate is fresh. */
  wait(pair: PairId): void;
}

export function createRateWaits(options: {
  readonly board: QuoteBoard;
  readonly instruments: Instruments;
  readonly clock: Clock;
}): RateWaits {
  const { board, instruments, clock } = options;
  const waiting = new Map<PairId, Set<PairId>>();
  /**
   * The instruments that need a rate. They are listed once, because the pair of every quote is looked up here and most
   * pairs need none.
   */
  const converted = new Map([...instruments].filter(([, one]) => ratePairs(one).length > 0));
  const wait = (pair: PairId): void => {
    const instrument = converted.get(pair);
    if (instrument === undefined) return;
    const moment = { now: clock.now(), quotes: board.quotes, instruments };
    const stale = staleRateOf(instrument, moment);
    if (stale === null) return;
    const pairs = waiting.get(stale.pair) ?? new Set();
    waiting.set(stale.pair, pairs.add(pair));
  };
  return {
    wait,
    withReleased(quote) {
      wait(quote.pair);
      const pairs = waiting.get(quote.pair);
      if (pairs === undefined) return [quote];
      waiting.delete(quote.pair);
      return [quote, ...[...pairs].flatMap((pair) => board.quote(pair) ?? [])];
    },
  };
}

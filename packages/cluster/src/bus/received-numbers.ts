import type { PairId } from "@propgate/core";
import { BEFORE_FIRST_QUOTE } from "@propgate/ledger";
import type { ReceivedQuotes } from "@propgate/market";

/**
 * Tracks by number which of the feed's quotes have arrived. The feed numbers the quotes of all pairs in one sequence
 * without gaps.
 */
export interface ReceivedNumbers extends ReceivedQuotes {
  /** Starts a new epoch. `reached` stays in the former epoch until `advanceReached`. */
  beginEpoch(epoch: number): void;
  add(number: number): void;
  /** Records that the feed's answer had the missing quotes of these pairs up to the number. */
  recordAnswered(pairs: Iterable<PairId>, number: number): void;
  /**
   * Advances `reached` to the number up to which the answers for every one of these pairs had its quotes, and over the
   * numbers that follow it without a gap.
   */
  advanceReached(pairs: Iterable<PairId>): void;
}

export function createReceivedNumbers(): ReceivedNumbers {
  let epoch = 0;
  let reached = BEFORE_FIRST_QUOTE;
  /** The number that was reached in each former epoch. */
  const ends = new Map<number, number>();
  /** Numbers of this epoch that arrived while an earlier one is missing. */
  const afterGap = new Set<number>();
  const covered = new Map<PairId, number>();

  const reach = (from: number): void => {
    let number = from;
    while (afterGap.delete(number + 1)) number += 1;
    reached = { epoch, number };
  };
  return {
    get reached() {
      return reached;
    },
    reachedIn: (former) => (former === reached.epoch ? reached.number : (ends.get(former) ?? 0)),
    beginEpoch(next) {
      epoch = next;
      afterGap.clear();
      covered.clear();
    },
    add(number) {
      if (reached.epoch === epoch && number <= reached.number) return;
      if (reached.epoch === epoch && number === reached.number + 1) reach(number);
      else afterGap.add(number);
    },
    recordAnswered(pairs, number) {
      for (const pair of pairs) covered.set(pair, number);
    },
    advanceReached(pairs) {
      const lowest = Math.min(...[...pairs].map((pair) => covered.get(pair) ?? 0));
      if (reached.epoch < epoch) ends.set(reached.epoch, reached.number);
      else if (lowest <= reached.number) return;
      for (const number of afterGap) if (number <= lowest) afterGap.delete(number);
      reach(lowest);
    },
  };
}

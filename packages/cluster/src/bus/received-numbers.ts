import type { PairId } from "@propgate/core";
import { NO_PLACE } from "@propgate/ledger";
import type { ReceivedPlaces } from "@propgate/market";

/** The numbers of the feed's quotes that have come. The feed counts the quotes of all pairs without holes. */
export interface ReceivedNumbers extends ReceivedPlaces {
  /** The former epoch stays the newest one until each pair of the next is covered. */
  begin(epoch: number): void;
  add(number: number): void;
  /** The feed has sent the missing quotes of these pairs again, up to that number. */
  cover(pairs: Iterable<PairId>, number: number): void;
  /** Reaches the number up to which each of the pairs is covered. */
  addCovered(pairs: Iterable<PairId>): void;
}

export function createReceivedNumbers(): ReceivedNumbers {
  let epoch = 0;
  let reached = NO_PLACE;
  /** How far the numbers of each former epoch had come. */
  const ends = new Map<number, number>();
  /** Numbers of the epoch that came after a hole. */
  const afterHole = new Set<number>();
  const covered = new Map<PairId, number>();

  const reach = (from: number): void => {
    let number = from;
    while (afterHole.delete(number + 1)) number += 1;
    reached = { epoch, number };
  };
  return {
    get reached() {
      return reached;
    },
    reachedIn: (former) => (former === reached.epoch ? reached.number : (ends.get(former) ?? 0)),
    begin(next) {
      epoch = next;
      afterHole.clear();
      covered.clear();
    },
    add(number) {
      if (reached.epoch === epoch && number <= reached.number) return;
      if (reached.epoch === epoch && number === reached.number + 1) reach(number);
      else afterHole.add(number);
    },
    cover(pairs, number) {
      for (const pair of pairs) covered.set(pair, number);
    },
    addCovered(pairs) {
      const lowest = Math.min(...[...pairs].map((pair) => covered.get(pair) ?? 0));
      if (reached.epoch < epoch) ends.set(reached.epoch, reached.number);
      else if (lowest <= reached.number) return;
      for (const number of afterHole) if (number <= lowest) afterHole.delete(number);
      reach(lowest);
    },
  };
}

import {
  type AccountId,
  isReached,
  type PairId,
  type Quote,
  sideOf,
  type TriggerLevel,
} from "@propgate/core";
import { createPriceHeap, type HeapEntry, type PriceHeap } from "./price-heap.ts";

/** A price of a pair that does something to an account when the market comes to it; inclusive. */
export interface WatchLevel extends TriggerLevel {
  readonly pair: PairId;
}

/**
 * Every resting price, sorted by pair and side: a quote costs what it triggers, not what is open.
 * A level stays until its account's levels are replaced.
 */
export interface TriggerBook {
  /** Replaces all levels of the account; unchanged ones cost next to nothing. */
  replace(accountId: AccountId, levels: readonly WatchLevel[]): void;
  /** Adds to `into` the accounts with a level that the quote reaches. */
  collect(quote: Quote, into: Set<AccountId>): void;
  /** True when the quote reaches one of the account's levels. */
  reaches(accountId: AccountId, quoteOf: (pair: PairId) => Quote | null): boolean;
  /** How many levels are watched. */
  readonly size: number;
}

interface Entry extends HeapEntry {
  readonly accountId: AccountId;
  readonly level: WatchLevel;
  readonly heap: PriceHeap<Entry>;
}

type PairHeaps = Map<`${TriggerLevel["side"]}:${TriggerLevel["when"]}`, SideHeap>;

/** The levels of a pair that watch one side of its quotes in one direction. */
interface SideHeap {
  readonly side: TriggerLevel["side"];
  readonly heap: PriceHeap<Entry>;
}

export function createTriggerBook(): TriggerBook {
  const pairs = new Map<PairId, PairHeaps>();
  const accounts = new Map<AccountId, readonly Entry[]>();
  let size = 0;

  const add = (accountId: AccountId, level: WatchLevel): Entry => {
    const heap = heapOf(pairs, level);
    const entry: Entry = { accountId, level, heap, price: level.price, place: -1 };
    heap.add(entry);
    size += 1;
    return entry;
  };
  const remove = (entry: Entry) => {
    entry.heap.remove(entry);
    size -= 1;
  };

  return {
    get size() {
      return size;
    },
    replace(accountId, levels) {
      const before = [...(accounts.get(accountId) ?? [])];
      const kept = levels.map((level) => takeSame(before, level));
      for (const entry of before) remove(entry);
      const after = levels.map((level, index) => kept[index] ?? add(accountId, level));
      if (after.length === 0) accounts.delete(accountId);
      else accounts.set(accountId, after);
    },
    collect(quote, into) {
      for (const { side, heap } of pairs.get(quote.pair)?.values() ?? []) {
        heap.visitReached(sideOf(quote, side), (entry) => into.add(entry.accountId));
      }
    },
    reaches(accountId, quoteOf) {
      return (accounts.get(accountId) ?? []).some(({ level }) => {
        const quote = quoteOf(level.pair);
        return quote !== null && isReached(level, quote);
      });
    },
  };
}

function heapOf(pairs: Map<PairId, PairHeaps>, level: WatchLevel): PriceHeap<Entry> {
  let heaps = pairs.get(level.pair);
  if (heaps === undefined) {
    heaps = new Map();
    pairs.set(level.pair, heaps);
  }
  const name = `${level.side}:${level.when}` as const;
  let known = heaps.get(name);
  if (known === undefined) {
    const heap = createPriceHeap<Entry>(level.when === "atOrBelow" ? "falling" : "rising");
    known = { side: level.side, heap };
    heaps.set(name, known);
  }
  return known.heap;
}

/** Takes the entry with the same level out of the list; null when there is none. */
function takeSame(entries: Entry[], level: WatchLevel): Entry | null {
  const index = entries.findIndex(
    ({ level: { pair, side, when, price } }) =>
      pair === level.pair && side === level.side && when === level.when && price === level.price,
  );
  return index === -1 ? null : (entries.splice(index, 1)[0] ?? null);
}

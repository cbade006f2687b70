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

/** The levels of a pair that watch one side of its quotes. */
type SideHeaps = Readonly<Record<TriggerLevel["when"], PriceHeap<Entry>>>;
type PairHeaps = Readonly<Record<TriggerLevel["side"], SideHeaps>>;

const SIDES = ["bid", "ask", "mid"] as const;

export function createTriggerBook(): TriggerBook {
  const pairs = new Map<PairId, PairHeaps>();
  const accounts = new Map<AccountId, readonly Entry[]>();
  let size = 0;

  const add = (accountId: AccountId, level: WatchLevel): Entry => {
    const heap = heapsOf(pairs, level.pair)[level.side][level.when];
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
      const known = accounts.get(accountId);
      if (known === undefined && levels.length === 0) return;
      const before = known === undefined ? [] : [...known];
      const after: Entry[] = [];
      for (const level of levels) after.push(takeSame(before, level) ?? add(accountId, level));
      for (const entry of before) remove(entry);
      if (after.length === 0) accounts.delete(accountId);
      else accounts.set(accountId, after);
    },
    collect(quote, into) {
      const heaps = pairs.get(quote.pair);
      if (heaps === undefined) return;
      const visit = (entry: Entry) => into.add(entry.accountId);
      for (const side of SIDES) {
        const seen = sideOf(quote, side);
        heaps[side].atOrBelow.visitReached(seen, visit);
        heaps[side].atOrAbove.visitReached(seen, visit);
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

function heapsOf(pairs: Map<PairId, PairHeaps>, pair: PairId): PairHeaps {
  const known = pairs.get(pair);
  if (known !== undefined) return known;
  const heaps = { bid: emptyHeaps(), ask: emptyHeaps(), mid: emptyHeaps() };
  pairs.set(pair, heaps);
  return heaps;
}

function emptyHeaps(): SideHeaps {
  return { atOrBelow: createPriceHeap("falling"), atOrAbove: createPriceHeap("rising") };
}

/** Takes the entry with the same level out of the list; null when there is none. */
function takeSame(entries: Entry[], level: WatchLevel): Entry | null {
  const index = entries.findIndex((entry) => isSame(entry.level, level));
  return index === -1 ? null : (entries.splice(index, 1)[0] ?? null);
}

function isSame(one: WatchLevel, other: WatchLevel): boolean {
  return (
    one.price === other.price &&
    one.pair === other.pair &&
    one.side === other.side &&
    one.when === other.when
  );
}

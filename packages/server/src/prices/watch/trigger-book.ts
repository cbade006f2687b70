import {
  type AccountId,
  isReached,
  type PairId,
  type Price,
  type Quote,
  sideOf,
  type TriggerLevel,
} from "@propgate/core";
import { createPriceHeap, type HeapEntry, type PriceHeap } from "./price-heap.ts";

/** A price that triggers something in an account when the market reaches it; inclusive. */
export interface WatchLevel extends TriggerLevel {
  readonly pair: PairId;
}

/**
 * Every watched price, sorted by pair and side: a quote takes time for the prices that it reaches,
 * not for all. A level stays until its account's levels are replaced.
 */
export interface TriggerBook {
  /** Replaces all levels of the account; unchanged levels are almost free. */
  replace(accountId: AccountId, levels: readonly WatchLevel[]): void;
  /** Adds to `into` the accounts with a level that the quote reaches. */
  collect(quote: Quote, into: Set<AccountId>): void;
  /** True when the quote reaches one of the account's levels. */
  reaches(accountId: AccountId, quoteOf: (pair: PairId) => Quote | null): boolean;
  /** The number of watched levels. */
  readonly size: number;
}

/** The levels of a pair that watch one side of its quotes in one direction. */
interface Lane {
  readonly pair: PairId;
  readonly side: TriggerLevel["side"];
  readonly when: TriggerLevel["when"];
  readonly heap: PriceHeap<Entry>;
}

interface Entry extends HeapEntry {
  readonly accountId: AccountId;
  readonly lane: Lane;
  price: Price;
}

type Lanes = Readonly<Record<TriggerLevel["side"], Readonly<Record<TriggerLevel["when"], Lane>>>>;

const SIDES = ["bid", "ask", "mid"] as const;

export function createTriggerBook(): TriggerBook {
  const pairs = new Map<PairId, Lanes>();
  const accounts = new Map<AccountId, readonly Entry[]>();
  let size = 0;

  const laneOf = ({ pair, side, when }: WatchLevel): Lane => {
    const lanes = pairs.get(pair) ?? lanesOf(pair);
    pairs.set(pair, lanes);
    return lanes[side][when];
  };
  const add = (accountId: AccountId, lane: Lane, price: Price): Entry => {
    const entry: Entry = { accountId, lane, price, place: -1 };
    lane.heap.add(entry);
    size += 1;
    return entry;
  };
  const remove = (entry: Entry) => {
    entry.lane.heap.remove(entry);
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
      const after = levels.map((level) => {
        const lane = laneOf(level);
        const same = takeNearest(before, lane, level.price);
        if (same === null) return add(accountId, lane, level.price);
        if (same.price !== level.price) lane.heap.move(same, level.price);
        return same;
      });
      for (const entry of before) remove(entry);
      if (after.length === 0) accounts.delete(accountId);
      else accounts.set(accountId, after);
    },
    collect(quote, into) {
      const lanes = pairs.get(quote.pair);
      if (lanes === undefined) return;
      const visit = (entry: Entry) => into.add(entry.accountId);
      for (const side of SIDES) {
        const seen = sideOf(quote, side);
        lanes[side].atOrBelow.heap.visitReached(seen, visit);
        lanes[side].atOrAbove.heap.visitReached(seen, visit);
      }
    },
    reaches(accountId, quoteOf) {
      return (accounts.get(accountId) ?? []).some(({ lane, price }) => {
        const quote = quoteOf(lane.pair);
        return quote !== null && isReached({ side: lane.side, when: lane.when, price }, quote);
      });
    },
  };
}

function lanesOf(pair: PairId): Lanes {
  const sideOfPair = (side: TriggerLevel["side"]) =>
    ({
      atOrBelow: { pair, side, when: "atOrBelow", heap: createPriceHeap<Entry>("falling") },
      atOrAbove: { pair, side, when: "atOrAbove", heap: createPriceHeap<Entry>("rising") },
    }) as const;
  return { bid: sideOfPair("bid"), ask: sideOfPair("ask"), mid: sideOfPair("mid") };
}

/** Removes an entry of the lane from the list, preferably one with that price; null without one. */
function takeNearest(entries: Entry[], lane: Lane, price: Price): Entry | null {
  let index = entries.findIndex((entry) => entry.lane === lane && entry.price === price);
  if (index === -1) index = entries.findIndex((entry) => entry.lane === lane);
  return index === -1 ? null : (entries.splice(index, 1)[0] ?? null);
}

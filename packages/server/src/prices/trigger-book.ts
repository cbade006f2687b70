import type { AccountId, PairId, Quote } from "@propgate/core";
import { createPriceHeap, type HeapEntry, type PriceHeap } from "./price-heap.ts";

/** Which price of a quote is watched. */
export type WatchedPrice = "bid" | "ask" | "mid";

/** A price that does something to an account when the market comes to it; inclusive. */
export interface WatchLevel {
  readonly pair: PairId;
  readonly watched: WatchedPrice;
  readonly when: "atOrBelow" | "atOrAbove";
  readonly price: number;
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

type Side = `${WatchedPrice}:${WatchLevel["when"]}`;
type PairHeaps = Map<Side, PriceHeap<Entry>>;

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
      for (const [side, heap] of pairs.get(quote.pair) ?? []) {
        heap.visitReached(priceOnSide(quote, side), (entry) => into.add(entry.accountId));
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

export function watchedPrice(quote: Quote, watched: WatchedPrice): number {
  return watched === "mid" ? (quote.bid + quote.ask) / 2 : quote[watched];
}

function isReached(level: WatchLevel, quote: Quote): boolean {
  const price = watchedPrice(quote, level.watched);
  return level.when === "atOrBelow" ? price <= level.price : price >= level.price;
}

function heapOf(pairs: Map<PairId, PairHeaps>, level: WatchLevel): PriceHeap<Entry> {
  let heaps = pairs.get(level.pair);
  if (heaps === undefined) {
    heaps = new Map();
    pairs.set(level.pair, heaps);
  }
  const side: Side = `${level.watched}:${level.when}`;
  let heap = heaps.get(side);
  if (heap === undefined) {
    heap = createPriceHeap<Entry>(level.when === "atOrBelow" ? "falling" : "rising");
    heaps.set(side, heap);
  }
  return heap;
}

function priceOnSide(quote: Quote, side: Side): number {
  if (side.startsWith("bid")) return quote.bid;
  return side.startsWith("ask") ? quote.ask : watchedPrice(quote, "mid");
}

/** Takes the entry with the same level out of the list; null when there is none. */
function takeSame(entries: Entry[], level: WatchLevel): Entry | null {
  const index = entries.findIndex(
    ({ level: { pair, watched, when, price } }) =>
      pair === level.pair &&
      watched === level.watched &&
      when === level.when &&
      price === level.price,
  );
  return index === -1 ? null : (entries.splice(index, 1)[0] ?? null);
}

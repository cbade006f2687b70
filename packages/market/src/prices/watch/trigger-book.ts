import {
  isReached,
  type PairId,
  price,
  priceAtSide,
  type Quote,
  type TriggerLevel,
} from "@propgate/core";
import { createPriceHeap, type PriceHeap } from "./price-heap.ts";

/** A price that triggers something in an account when the market reaches it. The price itself counts as reached. */
export interface WatchLevel extends TriggerLevel {
  readonly pair: PairId;
}

/**
 * Watched prices, sorted by pair and side. A quote takes time only for the prices that it reaches. A level stays until
 * the levels of its owner are replaced.
 */
export interface TriggerBook<Owner> {
  /**
   * Replaces all levels of the owner and returns where the new ones are. `before` is the result of the owner's previous
   * call. Levels that stay the same cost almost no time.
   */
  replace(owner: Owner, before: PlacedLevels, by: readonly WatchLevel[]): PlacedLevels;
  /** Calls `visit` with the owner of each level that the quote reaches: once for each reached level. */
  collect(quote: Quote, visit: (owner: Owner) => void): void;
  /** True when one of these levels is reached by the quote of its pair. */
  reaches(levels: PlacedLevels, quoteOf: (pair: PairId) => Quote | null): boolean;
  /** The number of watched levels. */
  readonly size: number;
}

/**
 * Where the levels of one owner are in a book: for each level the number of its heap and its handle there. They are
 * numbers in one array, because the levels of many accounts do not fit into a cache.
 */
export type PlacedLevels = readonly number[];

export const NO_LEVELS: PlacedLevels = [];

/** The levels of a pair that watch one side of its quotes in one direction. */
interface LevelHeap<Owner> {
  readonly number: number;
  readonly pair: PairId;
  readonly side: TriggerLevel["side"];
  readonly when: TriggerLevel["when"];
  readonly heap: PriceHeap<Owner>;
}

type PairHeaps<Owner> = Readonly<
  Record<TriggerLevel["side"], Readonly<Record<TriggerLevel["when"], LevelHeap<Owner>>>>
>;

const SIDES = ["bid", "ask", "mid"] as const;

export function createTriggerBook<Owner>(): TriggerBook<Owner> {
  const pairs = new Map<PairId, PairHeaps<Owner>>();
  const heaps: LevelHeap<Owner>[] = [];
  let size = 0;

  const heapOf = ({ pair, side, when }: WatchLevel): LevelHeap<Owner> => {
    let ofPair = pairs.get(pair);
    if (ofPair === undefined) {
      ofPair = addHeaps(pair, heaps);
      pairs.set(pair, ofPair);
    }
    return ofPair[side][when];
  };
  /** Moves each level within its heap. False when a heap differs; some levels may then already have moved. */
  const moveAll = (placed: PlacedLevels, by: readonly WatchLevel[]): boolean => {
    if (placed.length !== 2 * by.length) return false;
    let index = 0;
    for (const level of by) {
      const levels = heapOf(level);
      if (placed[index] !== levels.number) return false;
      moveTo(levels, placed[index + 1] ?? 0, level.price);
      index += 2;
    }
    return true;
  };

  return {
    get size() {
      return size;
    },
    replace(owner, before, by) {
      if (moveAll(before, by)) return before;
      const left = [...before];
      const after: number[] = [];
      for (const level of by) {
        const levels = heapOf(level);
        const same = takeNearest(left, levels, level.price);
        if (same === null) after.push(levels.number, levels.heap.add(owner, level.price));
        else {
          moveTo(levels, same, level.price);
          after.push(levels.number, same);
        }
      }
      for (let index = 0; index < left.length; index += 2) {
        heaps[left[index] ?? 0]?.heap.remove(left[index + 1] ?? 0);
      }
      size += (after.length - before.length) / 2;
      return after;
    },
    collect(quote, visit) {
      const ofPair = pairs.get(quote.pair);
      if (ofPair === undefined) return;
      for (const side of SIDES) {
        const seen = priceAtSide(quote, side);
        ofPair[side].atOrBelow.heap.visitReached(seen, visit);
        ofPair[side].atOrAbove.heap.visitReached(seen, visit);
      }
    },
    reaches(placed, quoteOf) {
      for (let index = 0; index < placed.length; index += 2) {
        const levels = heaps[placed[index] ?? 0];
        const quote = levels === undefined ? null : quoteOf(levels.pair);
        if (levels === undefined || quote === null) continue;
        const { side, when, heap } = levels;
        const at = price(heap.priceOf(placed[index + 1] ?? 0));
        if (isReached({ side, when, price: at }, quote)) return true;
      }
      return false;
    },
  };
}

/** Makes the heaps of a pair and adds them to the list. */
function addHeaps<Owner>(pair: PairId, heaps: LevelHeap<Owner>[]): PairHeaps<Owner> {
  const make = (side: TriggerLevel["side"], when: TriggerLevel["when"]): LevelHeap<Owner> => {
    const heap = createPriceHeap<Owner>(when === "atOrBelow" ? "falling" : "rising");
    const added = { number: heaps.length, pair, side, when, heap };
    heaps.push(added);
    return added;
  };
  const ofSide = (side: TriggerLevel["side"]) => ({
    atOrBelow: make(side, "atOrBelow"),
    atOrAbove: make(side, "atOrAbove"),
  });
  return { bid: ofSide("bid"), ask: ofSide("ask"), mid: ofSide("mid") };
}

function moveTo<Owner>({ heap }: LevelHeap<Owner>, handle: number, to: number): void {
  if (heap.priceOf(handle) !== to) heap.move(handle, to);
}

/**
 * Removes a handle in this heap from the list and returns it, preferably one with this price; null when there is none.
 */
function takeNearest<Owner>(
  placed: number[],
  { number, heap }: LevelHeap<Owner>,
  at: number,
): number | null {
  let found = -1;
  for (let index = 0; index < placed.length; index += 2) {
    if (placed[index] !== number) continue;
    const isSame = heap.priceOf(placed[index + 1] ?? 0) === at;
    if (found === -1 || isSame) found = index;
    if (isSame) break;
  }
  return found === -1 ? null : (placed.splice(found, 2)[1] ?? null);
}

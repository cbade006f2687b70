import type { Quote } from "@propgate/core";

type Sides = Pick<Quote, "bid" | "ask">;

/**
 * The indexes of the quotes that stay when a pair's quotes are merged, at most fifteen:
 *
 * - the newest;
 * - those with the lowest and the highest bid, ask and mid: a level that any of the quotes reached is reached by one of
 *   these;
 * - the quotes at both ends of the largest fall of the bid and of the largest rise of the ask, each measured as a
 *   difference and as a ratio. A trailing stop follows the best price and triggers at a distance from it, so the quotes
 *   that matter to it need not be the lowest and the highest.
 *
 * So an order that was pending before these quotes triggers at the kept quotes if and only if it triggers when all
 * quotes are settled in order. Two things may differ. The first kept quote that reaches a level may come after the
 * first of all quotes that reach it, so its price may be further beyond the level. Two levels may depend on each other:
 * a stop and a target of one position, or an entry and the legs that it attaches. When the merged quotes reach both,
 * they may be reached in another order. All this stays true for all original quotes when merged quotes are merged
 * again.
 */
export function indexesToKeep(quotes: readonly Sides[]): ReadonlySet<number> {
  const bids = quotes.map(({ bid }) => bid);
  const asks = quotes.map(({ ask }) => ask);
  const twiceMids = quotes.map(({ bid, ask }) => bid + ask);
  const kept = new Set([quotes.length - 1]);
  for (const prices of [bids, asks, twiceMids]) {
    kept.add(indexOfBest(prices, isLower));
    kept.add(indexOfBest(prices, isHigher));
  }
  for (const measure of [inPrice, inProportion]) {
    for (const place of largestMove(bids, isHigher, measure)) kept.add(place);
    for (const place of largestMove(asks, isLower, measure)) kept.add(place);
  }
  return kept;
}

/** Whether a price is better than another one. */
type Better = (price: number, other: number) => boolean;
const isLower: Better = (price, other) => price < other;
const isHigher: Better = (price, other) => price > other;

/** The size of a move from one price to another. */
type Measure = (from: number, to: number) => number;
const inPrice: Measure = (from, to) => Math.abs(to - from);
const inProportion: Measure = (from, to) => Math.max(from, to) / Math.min(from, to);

/** The index of the best price; of equal prices the first. */
function indexOfBest(prices: readonly number[], isBetter: Better): number {
  let best = 0;
  for (const [place, price] of prices.entries()) {
    if (isBetter(price, prices[best] ?? price)) best = place;
  }
  return best;
}

/**
 * The indexes of both ends of the largest move from the best price so far to a worse one; empty without such a move.
 */
function largestMove(
  prices: readonly number[],
  isBetter: Better,
  measure: Measure,
): readonly number[] {
  let best = { place: 0, price: prices[0] ?? 0 };
  let largest = { size: 0, places: [] as readonly number[] };
  for (const [place, price] of prices.entries()) {
    if (isBetter(price, best.price)) best = { place, price };
    const size = price === best.price ? 0 : measure(best.price, price);
    if (size > largest.size) largest = { size, places: [best.place, place] };
  }
  return largest.places;
}

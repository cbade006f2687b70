/** On which side of a price stops and targets have to be. @rule D5.legSides D10.firesAtOnce */
import type { Quote } from "../../market/quote.ts";
import type { PlaceLimit, PlaceMarket, PlaceStopLimit } from "../../state/command.ts";
import type { Direction, LegRequest } from "../../state/order.ts";
import { editedEntry } from "./reference-legs.ts";
import { fillPriceOf, isLimitReached, isStopPassed, markOf, upOf } from "./reference-prices.ts";

export type Placing = PlaceMarket | PlaceLimit | PlaceStopLimit;

/** Market orders of pairs with slippage fill at most this far from the quote. */
export const MOST_SLIPPAGE = 0.002;

/** A stop is before every level, and a target is beyond every level. */
export function isOnItsSide(
  { stopLoss, takeProfit }: LegRequest,
  direction: Direction,
  levels: readonly number[],
): boolean {
  const up = upOf(direction);
  return levels.every(
    (level) =>
      (stopLoss === null || up * stopLoss < up * level) &&
      (takeProfit === null || up * takeProfit > up * level),
  );
}

/** Whether legs fit a fill at the quote. @rule D10.rejected */
export function doLegsFit(
  legs: readonly LegRequest[],
  direction: Direction,
  quote: Quote,
): boolean {
  const levels = [fillPriceOf(direction, quote), markOf(direction, quote)];
  return legs.every((leg) => isOnItsSide(leg, direction, levels));
}

interface Levels {
  /** What the text holds a leg against. */
  readonly must: readonly number[];
  /** What it may be held against as well. */
  readonly may: readonly number[];
}

/** Null where no price is known. `quote`: at which the pair trades now; null while it does not. */
export function levelsOf(order: Placing, quote: Quote | null): Levels | null {
  const { direction } = order;
  const quoted = quote === null ? [] : [fillPriceOf(direction, quote), markOf(direction, quote)];
  if (order.type === "placeMarket") {
    const slipped = quoted
      .slice(0, 1)
      .map((price) => price * (1 + upOf(direction) * MOST_SLIPPAGE));
    return quote === null ? null : { must: quoted, may: slipped };
  }
  const limit = [order.limitPrice];
  if (quote === null || !isMarketable(order, quote)) return { must: limit, may: [] };
  if (order.type === "placeLimit") return { must: quoted, may: [] };
  // The text speaks of a LIMIT that is marketable, not of a stop-limit that has nothing to wait for either.
  return { must: [], may: [...limit, ...quoted] };
}

function isMarketable(order: PlaceLimit | PlaceStopLimit, quote: Quote): boolean {
  const entry = editedEntry(order);
  const waits = entry.stop !== null && !isStopPassed(entry, quote);
  return !waits && isLimitReached(entry, quote);
}

/** The side of a price on which stops and targets have to be. @rule D5.legSides D10.firesAtOnce */
import type { Quote } from "../../market/quote.ts";
import type { PlaceLimit, PlaceMarket, PlaceStopLimit } from "../../state/command.ts";
import type { Direction, LegRequest } from "../../state/order.ts";
import { editedEntry } from "./reference-legs.ts";
import { fillPriceOf, isLimitReached, isStopTriggered, markOf, upOf } from "./reference-prices.ts";

export type Placing = PlaceMarket | PlaceLimit | PlaceStopLimit;

/** Market orders of pairs with slippage fill at most this far from the quote. */
export const SLIPPAGE_MAX = 0.002;

/** A stop is before every level, and a target is beyond every level. */
export function isOnCorrectSide(
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
  return legs.every((leg) => isOnCorrectSide(leg, direction, levels));
}

interface Levels {
  /** The prices against which the text requires a leg to be checked. */
  readonly must: readonly number[];
  /** The prices against which a leg may also be checked. */
  readonly may: readonly number[];
}

/** Null when no price is known. `quote` is null while the pair does not trade. */
export function levelsOf(order: Placing, quote: Quote | null): Levels | null {
  const { direction } = order;
  const quoted = quote === null ? [] : [fillPriceOf(direction, quote), markOf(direction, quote)];
  if (order.type === "placeMarket") {
    const slipped = quoted.slice(0, 1).map((price) => price * (1 + upOf(direction) * SLIPPAGE_MAX));
    return quote === null ? null : { must: quoted, may: slipped };
  }
  const limit = [order.limitPrice];
  if (quote === null || !isMarketable(order, quote)) return { must: limit, may: [] };
  if (order.type === "placeLimit") return { must: quoted, may: [] };
  // The text covers a marketable LIMIT, not a stop-limit whose stop is already reached.
  return { must: [], may: [...limit, ...quoted] };
}

function isMarketable(order: PlaceLimit | PlaceStopLimit, quote: Quote): boolean {
  const entry = editedEntry(order);
  const waits = entry.stop !== null && !isStopTriggered(entry, quote);
  return !waits && isLimitReached(entry, quote);
}

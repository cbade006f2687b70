/** The sides of prices on which stops and targets have to be. @rule D5.legSides D10.firesAtOnce */
import type { Quote } from "../../market/quote.ts";
import type { PlaceEntry, PlaceMarket } from "../../state/command.ts";
import type { Direction, LegRequest } from "../../state/order.ts";
import { entryOfCommand } from "./reference-legs.ts";
import {
  fillPriceOf,
  gainSignOf,
  isLimitReached,
  isStopTriggered,
  markOf,
} from "./reference-prices.ts";

/** A command that places an order with its own size. */
export type SizedPlacement = PlaceMarket | PlaceEntry;

/** Market orders of pairs with slippage fill at most this fraction of the price away from the quote. */
export const SLIPPAGE_MAX = 0.002;

/** Whether the leg's stop is on the losing side of every price in `levels`, and its target on the winning side. */
export function isOnCorrectSide(
  { stopLoss, takeProfit }: LegRequest,
  direction: Direction,
  levels: readonly number[],
): boolean {
  const up = gainSignOf(direction);
  return levels.every(
    (level) =>
      (stopLoss === null || up * stopLoss < up * level) &&
      (takeProfit === null || up * takeProfit > up * level),
  );
}

/**
 * Whether every leg is on the correct sides of the fill price and of the mark, and every trailing stop can start at the
 * mark. @rule D10.rejected
 */
export function doLegsFit(
  legs: readonly LegRequest[],
  direction: Direction,
  quote: Quote,
): boolean {
  const mark = markOf(direction, quote);
  const levels = [fillPriceOf(direction, quote), mark];
  return legs.every(
    (leg) => isOnCorrectSide(leg, direction, levels) && canTrailFrom(leg, direction, mark),
  );
}

/**
 * Whether the leg's trailing stop can start at the price `from`: its distance is smaller than the price, and the stop,
 * rounded to twelve digits, is not the price itself. True for a leg that does not trail. @rule D13.trailingDistance
 */
export function canTrailFrom(
  { trailing }: Pick<LegRequest, "trailing">,
  direction: Direction,
  from: number,
): boolean {
  if (trailing === null) return true;
  const distance = trailing.kind === "percent" ? from * trailing.ratio : trailing.value;
  const stop = from - gainSignOf(direction) * distance;
  return distance < from && Number(stop.toPrecision(12)) !== from;
}

interface Levels {
  /** The prices with which the text of the rules requires a leg to be compared. */
  readonly must: readonly number[];
  /** The prices with which a leg may be compared too. */
  readonly may: readonly number[];
  /** The price from which a trailing distance is checked, and whether the text of the rules requires that check. */
  readonly trailFrom: number;
  readonly isTrailSure: boolean;
}

/**
 * The prices with which the legs of an order are compared; null when no price is known. `quote` is null while the pair
 * cannot be traded.
 */
export function levelsOf(order: SizedPlacement, quote: Quote | null): Levels | null {
  const { direction } = order;
  const mark = quote === null ? null : markOf(direction, quote);
  const quoted = quote === null || mark === null ? [] : [fillPriceOf(direction, quote), mark];
  if (order.type === "placeMarket") {
    const slipped = quoted
      .slice(0, 1)
      .map((price) => price * (1 + gainSignOf(direction) * SLIPPAGE_MAX));
    return mark === null
      ? null
      : { must: quoted, may: slipped, trailFrom: mark, isTrailSure: true };
  }
  const limit = [order.limitPrice];
  const atLimit = { trailFrom: order.limitPrice, isTrailSure: true };
  if (quote === null || mark === null || !isMarketable(order, quote)) {
    return { must: limit, may: [], ...atLimit };
  }
  if (order.type === "placeLimit") {
    return { must: quoted, may: [], trailFrom: mark, isTrailSure: true };
  }
  // The text of the rules covers a marketable LIMIT, but not a stop-limit whose stop is already reached.
  return { must: [], may: [...limit, ...quoted], trailFrom: mark, isTrailSure: false };
}

function isMarketable(order: PlaceEntry, quote: Quote): boolean {
  const entry = entryOfCommand(order);
  const waits = entry.stop !== null && !isStopTriggered(entry, quote);
  return !waits && isLimitReached(entry, quote);
}

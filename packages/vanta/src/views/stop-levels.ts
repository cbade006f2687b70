import type { LinkedOrder, LinkedPosition } from "../dashboard/linked-readings.ts";
import type { MaybeUnknown } from "./exact-usd.ts";
import { withoutNoise } from "./fills.ts";

/**
 * The legs of an open position, each with the stop at which it acts as of the reading: the fixed stop or the trailing
 * one, whichever is nearer to the market. The network keeps a trailing leg's best price as its `price`.
 */
export function legsWithActingStop({
  direction,
  legs,
}: Pick<LinkedPosition, "direction" | "legs">): readonly LinkedOrder[] {
  return legs.map((leg) => ({
    ...leg,
    stopLoss: nearestLevels({ direction }, [
      leg,
      { ...leg, stopLoss: trailedLevel(leg, direction) },
    ]).stopLoss,
  }));
}

/**
 * The level of a trailing stop. Null when the leg does not trail, when its best price is not known, and when the level
 * would not be above 0.
 */
function trailedLevel(
  { price, trailingPercent, trailingValue }: LinkedOrder,
  direction: LinkedPosition["direction"],
): MaybeUnknown<number> {
  if (price === null) return null;
  const distance = trailingPercent === null ? trailingValue : price * trailingPercent;
  if (distance === null) return null;
  const level = withoutNoise(direction === "LONG" ? price - distance : price + distance);
  return level > 0 ? level : null;
}

/** The stop and the target that the market would reach first; each is null when no leg has one. @rule D4.nearestLegs */
export function nearestLevels(
  { direction }: Pick<LinkedPosition, "direction">,
  legs: readonly Pick<LinkedOrder, "stopLoss" | "takeProfit">[],
): { readonly stopLoss: MaybeUnknown<number>; readonly takeProfit: MaybeUnknown<number> } {
  const stops = legs.map(({ stopLoss }) => stopLoss).filter((level) => level !== null);
  const targets = legs.map(({ takeProfit }) => takeProfit).filter((level) => level !== null);
  const isLong = direction === "LONG";
  return {
    stopLoss: firstLevel(stops, isLong ? Math.max : Math.min),
    takeProfit: firstLevel(targets, isLong ? Math.min : Math.max),
  };
}

function firstLevel(
  levels: readonly number[],
  pick: (...levels: readonly number[]) => number,
): MaybeUnknown<number> {
  return levels.length === 0 ? null : pick(...levels);
}

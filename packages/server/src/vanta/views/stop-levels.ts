import type { LinkedOrder, LinkedPosition } from "../dashboard/linked-readings.ts";
import type { Unknown } from "./exact-usd.ts";

/** The level that the market would reach first. @rule D4.nearestLegs */
export function nearestLevels(
  { direction }: Pick<LinkedPosition, "direction">,
  legs: readonly LinkedOrder[],
): { readonly stopLoss: Unknown<number>; readonly takeProfit: Unknown<number> } {
  const stops = legs.map(({ stopLoss }) => stopLoss).filter((level) => level !== null);
  const targets = legs.map(({ takeProfit }) => takeProfit).filter((level) => level !== null);
  const isLong = direction === "LONG";
  return {
    stopLoss: first(stops, isLong ? Math.max : Math.min),
    takeProfit: first(targets, isLong ? Math.min : Math.max),
  };
}

function first(
  levels: readonly number[],
  pick: (...levels: readonly number[]) => number,
): Unknown<number> {
  return levels.length === 0 ? null : pick(...levels);
}

import { type OrderUuid, orderUuid } from "../ids.ts";
import { LEG_ID_INFIX } from "../state/leg-ids.ts";
import type { BracketLeg, Direction, LegRequest, TrailingDistance } from "../state/order.ts";
import { type Price, price, roundToTwelveDigits } from "../units.ts";

/** The uuid of a leg: the uuid of the order that attaches it, and the leg's index in the request. @rule D5.legs */
export function legUuid(parent: OrderUuid, index: number): OrderUuid {
  return orderUuid(`${parent}${LEG_ID_INFIX}${index}`);
}

/**
 * The effective stop of a leg: the fixed stop or the trailing stop, whichever is nearer to the market. Null when the
 * leg has no fixed stop and either does not trail or trails at a distance that leaves no price above zero.
 * @rule D5.trailing
 */
export function stopLevel(leg: BracketLeg): Price | null {
  const trailing = trailingLevel(leg);
  if (trailing === null) return leg.stopLoss;
  if (leg.stopLoss === null) return trailing;
  return leg.direction === "long"
    ? price(Math.max(trailing, leg.stopLoss))
    : price(Math.min(trailing, leg.stopLoss));
}

/**
 * The stop and the target that the market would reach first: for a long the highest stop and the lowest target, for a
 * short the lowest stop and the highest target. Each is null when no leg has one. @rule D4.nearestLegs decides
 */
export function nearestLevels(legs: readonly LegLevels[], direction: Direction): LegLevels {
  const [ofStops, ofTargets] = direction === "long" ? [Math.max, Math.min] : [Math.min, Math.max];
  return {
    stopLoss: firstReached(
      legs.map(({ stopLoss }) => stopLoss),
      ofStops,
    ),
    takeProfit: firstReached(
      legs.map(({ takeProfit }) => takeProfit),
      ofTargets,
    ),
  };
}

type LegLevels = Pick<LegRequest, "stopLoss" | "takeProfit">;

function firstReached(
  levels: readonly (Price | null)[],
  of: (...levels: number[]) => number,
): Price | null {
  const known = levels.filter((level) => level !== null);
  return known.length === 0 ? null : price(of(...known));
}

/** The level of the trailing stop. Null when the leg does not trail, or its distance leaves no price above zero. */
function trailingLevel({ trailing, bestPrice, direction }: BracketLeg): Price | null {
  if (trailing === null || bestPrice === null) return null;
  const level = trailFrom(bestPrice, trailing, direction);
  return level > 0 ? price(level) : null;
}

/**
 * Why a trailing stop cannot start at this price: its distance is at least the price itself, or its level rounds to the
 * price or beyond it. Null when it can. @rule D13.trailingDistance decides
 */
export function trailingDistanceProblem(
  from: Price,
  trailing: TrailingDistance,
  direction: Direction,
): "tooLarge" | "roundsToZero" | null {
  if (trailingDistanceOf(trailing, from) >= from) return "tooLarge";
  const level = trailFrom(from, trailing, direction);
  // Rounding a price of more than twelve digits may move the level to the price or beyond it.
  const isReached = direction === "long" ? level >= from : level <= from;
  return isReached ? "roundsToZero" : null;
}

function trailFrom(from: Price, trailing: TrailingDistance, direction: Direction): number {
  const away = direction === "long" ? -1 : 1;
  return roundToTwelveDigits(from + away * trailingDistanceOf(trailing, from));
}

function trailingDistanceOf(trailing: TrailingDistance, best: Price): number {
  return trailing.kind === "percent" ? best * trailing.ratio : trailing.value;
}

import { type OrderUuid, orderUuid } from "../ids.ts";
import { LEG_MARK } from "../state/leg-ids.ts";
import type { BracketLeg, Direction, LegRequest, Trailing } from "../state/order.ts";
import { type Price, price } from "../units.ts";

/** A leg's uuid: its parent's uuid and its index in the request. @rule D5.legs */
export function legUuid(parent: OrderUuid, index: number): OrderUuid {
  return orderUuid(`${parent}${LEG_MARK}${index}`);
}

/**
 * The effective stop: the fixed or the trailing one, whichever is nearer to the market. Null when the
 * leg has neither. @rule D5.trailing
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
 * The stop and the target that the market would reach first: a long's highest stop and lowest target, and the reverse
 * for a short. Null when there is none. @rule D4.nearestLegs decides
 */
export function nearestLevels(legs: readonly LegLevels[], direction: Direction): LegLevels {
  const [ofStops, ofTargets] = direction === "long" ? [Math.max, Math.min] : [Math.min, Math.max];
  return {
    stopLoss: outermost(
      legs.map(({ stopLoss }) => stopLoss),
      ofStops,
    ),
    takeProfit: outermost(
      legs.map(({ takeProfit }) => takeProfit),
      ofTargets,
    ),
  };
}

type LegLevels = Pick<LegRequest, "stopLoss" | "takeProfit">;

function outermost(
  levels: readonly (Price | null)[],
  of: (...levels: number[]) => number,
): Price | null {
  const known = levels.filter((level) => level !== null);
  return known.length === 0 ? null : price(of(...known));
}

/** Null when the distance exceeds the price, so no level is left. */
function trailingLevel({ trailing, bestPrice, direction }: BracketLeg): Price | null {
  if (trailing === null || bestPrice === null) return null;
  const level = trailedFrom(bestPrice, trailing, direction);
  return level > 0 ? price(level) : null;
}

/** Why a trailing stop cannot start at this price; null when it can. @rule D13.trailingDistance decides */
export function distanceProblem(
  from: Price,
  trailing: Trailing,
  direction: Direction,
): "tooLarge" | "roundsToZero" | null {
  if (distance(trailing, from) >= from) return "tooLarge";
  const level = trailedFrom(from, trailing, direction);
  // A price of more than twelve digits may round beyond itself.
  const isReached = direction === "long" ? level >= from : level <= from;
  return isReached ? "roundsToZero" : null;
}

function trailedFrom(from: Price, trailing: Trailing, direction: Direction): number {
  const away = direction === "long" ? -1 : 1;
  return roundNoise(from + away * distance(trailing, from));
}

function distance(trailing: Trailing, best: Price): number {
  return trailing.kind === "percent" ? best * trailing.ratio : trailing.value;
}

/** Twelve digits are finer than every tick; 2 % below 110 is then exactly 107.8. */
function roundNoise(value: number): number {
  return Number(value.toPrecision(12));
}

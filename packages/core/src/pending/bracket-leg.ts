import { type OrderUuid, orderUuid } from "../ids.ts";
import type { BracketLeg, Trailing } from "../state/order.ts";
import { type Price, price } from "../units.ts";

const LEG_MARK = "-bracket-";

/** A leg's uuid: its parent's uuid and its index in the request. @rule D5.legs */
export function legUuid(parent: OrderUuid, index: number): OrderUuid {
  return orderUuid(`${parent}${LEG_MARK}${index}`);
}

/** Whether `uuid` is the order itself or one of the legs it attached. */
export function belongsTo(uuid: OrderUuid, parent: OrderUuid): boolean {
  return uuid === parent || uuid.startsWith(`${parent}${LEG_MARK}`);
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

/** Null when the distance exceeds the price, so no level is left. */
function trailingLevel(leg: BracketLeg): Price | null {
  if (leg.trailing === null || leg.bestPrice === null) return null;
  const away = leg.direction === "long" ? -1 : 1;
  const level = roundNoise(leg.bestPrice + away * distance(leg.trailing, leg.bestPrice));
  return level > 0 ? price(level) : null;
}

function distance(trailing: Trailing, best: Price): number {
  return trailing.kind === "percent" ? best * trailing.ratio : trailing.value;
}

/** Twelve digits are finer than every tick; 2 % below 110 is then exactly 107.8. */
function roundNoise(value: number): number {
  return Number(value.toPrecision(12));
}

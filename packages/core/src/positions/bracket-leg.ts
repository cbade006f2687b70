import { type OrderUuid, orderUuid } from "../ids.ts";
import { markOf } from "../market/mark.ts";
import type { Quote } from "../market/quote.ts";
import type { Draft } from "../network/draft.ts";
import type { BracketLeg, LegRequest, Trailing } from "../orders/order.ts";
import { type Price, price, type Quantity, quantity } from "../units.ts";
import type { Position } from "./position.ts";

export interface Attachment {
  /** The order that asked for the legs; their uuids are made from its. */
  readonly parent: OrderUuid;
  readonly legs: readonly LegRequest[];
  readonly position: Position;
  readonly quote: Quote;
}

/** In the order in which they were asked for, numbered from 0. @rule D5.legs */
export function attachLegs(draft: Draft, { parent, legs, position, quote }: Attachment): void {
  if (legs.length === 0) return;
  const attached = legs.map(
    (leg, index): BracketLeg => ({
      ...leg,
      kind: "bracket",
      uuid: legUuid(parent, index),
      pair: position.pair,
      direction: position.direction,
      placedAtMs: draft.moment.now,
      positionUuid: position.uuid,
      bestPrice: leg.trailing === null ? null : markOf(position.direction, quote),
      shareOf: shareOf(leg, position),
    }),
  );
  draft.record({ type: "legsAttached", legs: attached });
}

/** The quantity that a leg's percentage is taken of; null for every other size. */
export function shareOf(leg: LegRequest, position: Position): Quantity | null {
  return leg.size?.kind === "bracketPct" ? position.quantity : null;
}

const LEG_MARK = "-bracket-";

/** What a leg is called: its parent's uuid and its place in the request, from 0. @rule D5.legs */
export function legUuid(parent: OrderUuid, index: number): OrderUuid {
  return orderUuid(`${parent}${LEG_MARK}${index}`);
}

/** Whether `uuid` is the order itself or one of the legs it attached. */
export function belongsTo(uuid: OrderUuid, parent: OrderUuid): boolean {
  return uuid === parent || uuid.startsWith(`${parent}${LEG_MARK}`);
}

/**
 * The stop that stands now: the fixed one or the trailing one, whichever is nearer to the market.
 * Null when the leg has neither. @rule D5.trailing
 */
export function stopLevel(leg: BracketLeg): Price | null {
  const trailing = trailingLevel(leg);
  if (trailing === null) return leg.stopLoss;
  if (leg.stopLoss === null) return trailing;
  return leg.direction === "long"
    ? price(Math.max(trailing, leg.stopLoss))
    : price(Math.min(trailing, leg.stopLoss));
}

/** Null as well where a distance wider than the price leaves no level to reach. */
function trailingLevel(leg: BracketLeg): Price | null {
  if (leg.trailing === null || leg.bestPrice === null) return null;
  const away = leg.direction === "long" ? -1 : 1;
  const level = roundNoise(leg.bestPrice + away * distance(leg.trailing, leg.bestPrice));
  return level > 0 ? price(level) : null;
}

function distance(trailing: Trailing, best: Price): number {
  return trailing.kind === "percent" ? best * trailing.ratio : trailing.value;
}

/** Twelve digits are beyond every tick: 2 % below 110 is then 107.8, as a trader reads it. */
function roundNoise(value: number): number {
  return Number(value.toPrecision(12));
}

/**
 * A percentage is of the position as if no sibling leg had filled, so two halves close the whole;
 * an add or an opposite order changes it in proportion. @rule D5.legsFollow
 */
export function followPosition(leg: BracketLeg, before: Quantity, after: Quantity): BracketLeg {
  if (leg.shareOf === null) return leg;
  return { ...leg, shareOf: quantity(Math.round((leg.shareOf * after) / before)) };
}

import { midOf } from "../market/mark.ts";
import type { Quote } from "../market/quote.ts";
import type {
  BracketLeg,
  Direction,
  EntryOrder,
  LimitOrder,
  StopLimitOrder,
} from "../state/order.ts";
import { type Price, price } from "../units.ts";
import { stopLevel } from "./bracket-leg.ts";

/** A trigger of a pending order: a side of the quote at a price or beyond it, inclusive. */
export interface TriggerLevel {
  readonly side: "bid" | "ask" | "mid";
  readonly when: "atOrBelow" | "atOrAbove";
  readonly price: Price;
}

/** The reaction of a triggered order. */
export type Reaction =
  /** The trailing stop follows a better price. */
  | "ratchet"
  | "stopLoss"
  | "takeProfit"
  /** A stop-limit becomes a limit. */
  | "stop"
  /** An entry fills: it reduces, opens or adds. */
  | "fill";

export interface Trigger extends TriggerLevel {
  readonly reaction: Reaction;
}

export function isReached(level: TriggerLevel, quote: Quote): boolean {
  const seen = sideOf(quote, level.side);
  return level.when === "atOrAbove" ? seen >= level.price : seen <= level.price;
}

/** LONG when ask ≤ limit, SHORT when bid ≥ limit. @rule D5.limit */
export function limitTriggers(order: LimitOrder): readonly Trigger[] {
  const when = order.direction === "long" ? "atOrBelow" : "atOrAbove";
  return [{ side: entrySide(order.direction), when, price: order.limitPrice, reaction: "fill" }];
}

/**
 * The trigger of an order that becomes another order, or fills, once the mid price passes its stop.
 * @rule D5.stopLimit decides
 */
export function stopTriggers(
  order: Pick<StopLimitOrder, "stopPrice" | "stopCondition">,
): readonly Trigger[] {
  const when = order.stopCondition === "gte" ? "atOrAbove" : "atOrBelow";
  return [{ side: "mid", when, price: order.stopPrice, reaction: "stop" }];
}

/** LONG: stop when bid ≤, target when bid ≥. SHORT: stop when ask ≥, target when ask ≤. @rule D5.legs decides */
export function bracketTriggers(leg: BracketLeg): readonly Trigger[] {
  const side = exitSide(leg.direction);
  const [losing, winning] =
    leg.direction === "long"
      ? (["atOrBelow", "atOrAbove"] as const)
      : (["atOrAbove", "atOrBelow"] as const);
  const triggers: Trigger[] = [];
  const stop = stopLevel(leg);
  if (leg.bestPrice !== null) {
    const better = justBeyond(leg.bestPrice, winning);
    triggers.push({ side, when: winning, price: better, reaction: "ratchet" });
  }
  if (stop !== null) triggers.push({ side, when: losing, price: stop, reaction: "stopLoss" });
  if (leg.takeProfit !== null) {
    triggers.push({ side, when: winning, price: leg.takeProfit, reaction: "takeProfit" });
  }
  return triggers;
}

/** The reaction of an entry to the quote. Null when it waits, or is held at this quote. @rule D10.oneQuote */
export function entryReaction(order: EntryOrder, quote: Quote): Reaction | null {
  if (isHeldAt(order, quote)) return null;
  const triggers = "stopPrice" in order ? stopTriggers(order) : limitTriggers(order);
  return triggers.find((level) => isReached(level, quote))?.reaction ?? null;
}

/** Whether the entry would fill at this quote: its stop, where it has one, and its limit are reached. */
export function isMarketable(order: EntryOrder, quote: Quote): boolean {
  const isStopped = !("stopPrice" in order) || isReachedBy(stopTriggers(order), quote);
  return isStopped && isReachedBy(limitTriggers({ ...order, kind: "limit" }), quote);
}

function isReachedBy(triggers: readonly Trigger[], quote: Quote): boolean {
  return triggers.some((level) => isReached(level, quote));
}

function isHeldAt({ heldAt }: EntryOrder, { bid, ask, atMs }: Quote): boolean {
  return heldAt !== undefined && heldAt.atMs === atMs && heldAt.bid === bid && heldAt.ask === ask;
}

/** The side of the quote at which a position of this direction is closed. */
export function exitSide(direction: Direction): "bid" | "ask" {
  return direction === "long" ? "bid" : "ask";
}

/** The side of the quote at which an order of this direction enters. */
export function entrySide(direction: Direction): "bid" | "ask" {
  return direction === "long" ? "ask" : "bid";
}

export function sideOf(quote: Quote, side: TriggerLevel["side"]): Price {
  return side === "mid" ? midOf(quote) : quote[side];
}

/** The next price beyond this one, for a trigger at a strictly better price. */
function justBeyond(level: Price, when: TriggerLevel["when"]): Price {
  return price(level * (when === "atOrAbove" ? 1 + Number.EPSILON : 1 - Number.EPSILON));
}

import { midOf } from "../market/mark.ts";
import type { Quote } from "../market/quote.ts";
import type { BracketLeg, Direction } from "../state/order.ts";
import { type Price, price } from "../units.ts";
import { stopLevel } from "./bracket-leg.ts";

/** A trigger of a pending order: reached when that side of the quote is at the price or beyond it. */
export interface TriggerLevel {
  readonly side: "bid" | "ask" | "mid";
  readonly when: "atOrBelow" | "atOrAbove";
  readonly price: Price;
}

/** The reaction of an order whose trigger was reached. */
export type Reaction =
  /** The trailing stop follows a better price. */
  | "ratchet"
  | "stopLoss"
  | "takeProfit"
  /** A stop-limit becomes a limit order. */
  | "stop"
  /** The entry fills: it reduces, opens or adds. */
  | "fill";

/** A trigger, with the reaction of its order. */
export interface Trigger extends TriggerLevel {
  readonly reaction: Reaction;
}

/** Whether the quote has reached the trigger. A quote exactly at the trigger's price has reached it. */
export function isReached(level: TriggerLevel, quote: Quote): boolean {
  const seen = priceAtSide(quote, level.side);
  return level.when === "atOrAbove" ? seen >= level.price : seen <= level.price;
}

/**
 * The triggers of a leg. LONG: stop when bid ≤ its level, target when bid ≥ its level. SHORT: stop when ask ≥ its
 * level, target when ask ≤ its level. Stop and target are triggers of one order, so a fill by one ends the other. A leg
 * that trails also reacts to each better price. @rule D5.legTriggers decides
 */
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

/** The side of the quote at which a position of this direction is closed. */
export function exitSide(direction: Direction): "bid" | "ask" {
  return direction === "long" ? "bid" : "ask";
}

/** The side of the quote at which an order of this direction enters. */
export function entrySide(direction: Direction): "bid" | "ask" {
  return direction === "long" ? "ask" : "bid";
}

/** The bid, the ask or the mid of a quote. */
export function priceAtSide(quote: Quote, side: TriggerLevel["side"]): Price {
  return side === "mid" ? midOf(quote) : quote[side];
}

/**
 * A floating-point number one or two steps beyond a price, so that a trigger reacts only to a strictly better price.
 */
function justBeyond(level: Price, when: TriggerLevel["when"]): Price {
  return price(level * (when === "atOrAbove" ? 1 + Number.EPSILON : 1 - Number.EPSILON));
}

import { midOf } from "../market/mark.ts";
import type { Quote } from "../market/quote.ts";
import type { BracketLeg, Direction } from "../state/order.ts";
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

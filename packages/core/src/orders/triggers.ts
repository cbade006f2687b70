import { midOf } from "../market/mark.ts";
import type { Quote } from "../market/quote.ts";
import { type Price, price } from "../units.ts";
import type { Direction } from "./order.ts";

/** What makes a resting order react: a side of the quote at a price or beyond it, inclusive. */
export interface TriggerLevel {
  readonly side: "bid" | "ask" | "mid";
  readonly when: "atOrBelow" | "atOrAbove";
  readonly price: Price;
}

/** What the order then does, in the order in which reactions to one quote happen. */
export type Reaction =
  /** The trailing stop follows a better price. */
  | "ratchet"
  | "stopLoss"
  /** Everything else, by placement. */
  | "takeProfit"
  | "stop"
  | "fill";

export interface Trigger extends TriggerLevel {
  readonly reaction: Reaction;
}

export function isReached(level: TriggerLevel, quote: Quote): boolean {
  const seen = sideOf(quote, level.side);
  return level.when === "atOrAbove" ? seen >= level.price : seen <= level.price;
}

/** Stops come before what was placed earlier, never before the trail that moves them. @rule D5.slFirst */
export const REACTION_RANK: Readonly<Record<Reaction, number>> = {
  ratchet: 0,
  stopLoss: 1,
  takeProfit: 2,
  stop: 2,
  fill: 2,
};

/** The side at which a position of this direction can be left. */
export function exitSide(direction: Direction): "bid" | "ask" {
  return direction === "long" ? "bid" : "ask";
}

/** The side at which an order of this direction enters. */
export function entrySide(direction: Direction): "bid" | "ask" {
  return direction === "long" ? "ask" : "bid";
}

export function sideOf(quote: Quote, side: TriggerLevel["side"]): Price {
  return side === "mid" ? midOf(quote) : quote[side];
}

/** The next price beyond this one, so that a level means "strictly better". */
export function justBeyond(level: Price, when: TriggerLevel["when"]): Price {
  return price(level * (when === "atOrAbove" ? 1 + Number.EPSILON : 1 - Number.EPSILON));
}

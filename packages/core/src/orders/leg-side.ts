import { markOf } from "../market/mark.ts";
import type { Quote } from "../market/quote.ts";
import { trailingDistanceProblem } from "../pending/bracket-leg.ts";
import { exitSide } from "../pending/triggers.ts";
import type { Direction, LegRequest } from "../state/order.ts";
import type { Refusal } from "../state/refusal.ts";
import type { Price } from "../units.ts";

/** The prices with which a leg's stop and target are compared. */
export interface LegReference {
  readonly direction: Direction;
  /** The fill price, or the limit price of a pending order; null for an open position. */
  readonly entryPrice: Price | null;
  /** The present quote; null for a pending order that cannot fill at it. */
  readonly quote: Quote | null;
}

/**
 * The refusal of the first invalid leg; null when every leg is valid. A stop has to be on the losing side of the entry
 * price and a target on the winning side, and the present quote may reach neither. A trailing stop has to start below a
 * long's price and above a short's. @rule D13.trailingDistance
 */
export function legsRefusal(legs: readonly LegRequest[], against: LegReference): Refusal | null {
  for (const [index, leg] of legs.entries()) {
    const refusal = legRefusal(leg, { ...against, index });
    if (refusal !== null) return refusal;
  }
  return null;
}

/**
 * The refusal of one leg: a stop has to be on the losing side of the entry price and a target on the winning side, the
 * present quote may reach neither, and a trailing stop has to be able to start at its distance. Null when the leg is
 * valid. `index` is its index in the request; null when the request is a single leg.
 * @rule D5.legSides D10.firesAtOnce decides
 */
export function legRefusal(
  leg: LegRequest,
  against: LegReference & { readonly index: number | null },
): Refusal | null {
  const { direction, entryPrice, quote } = against;
  const isLong = direction === "long";
  for (const field of ["stopLoss", "takeProfit"] as const) {
    const level = leg[field];
    if (level === null) continue;
    const isAbove = (field === "takeProfit") === isLong;
    const wrong = {
      leg: against.index,
      field,
      price: level,
      mustBe: isAbove ? "above" : "below",
    } as const;
    if (entryPrice !== null && !isBeyond(level, entryPrice, isAbove)) {
      return { code: "wrongSide", ...wrong, entryPrice };
    }
    if (quote === null) continue;
    const quoted = markOf(direction, quote);
    if (!isBeyond(level, quoted, isAbove)) {
      return { code: "wouldTrigger", ...wrong, side: exitSide(direction), quoted };
    }
  }
  return distanceRefusal(leg, against);
}

/**
 * Checks that a trailing stop can start at its distance: from the present quote, or from the limit price for an order
 * that cannot fill at the quote. Null when it can, or when the leg does not trail. @rule D13.trailingDistance
 */
function distanceRefusal(
  { trailing }: LegRequest,
  against: LegReference & { readonly index: number | null },
): Refusal | null {
  const { direction, entryPrice, quote, index: leg } = against;
  const from = quote === null ? entryPrice : markOf(direction, quote);
  if (trailing === null || from === null) return null;
  const problem = trailingDistanceProblem(from, trailing, direction);
  return problem === null ? null : { code: "trailingDistance", leg, trailing, from, problem };
}

function isBeyond(level: Price, reference: Price, above: boolean): boolean {
  return above ? level > reference : level < reference;
}

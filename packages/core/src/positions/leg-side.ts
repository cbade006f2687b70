import type { Refusal } from "../network/refusal.ts";
import type { Direction, LegRequest } from "../orders/order.ts";
import type { Price } from "../units.ts";

/**
 * A stop stands on the losing side of the entry price and a target on the winning one; at it is
 * neither. Null: every leg does. @rule D5.legSides
 */
export function legsRefusal(
  legs: readonly LegRequest[],
  direction: Direction,
  entryPrice: Price,
): Refusal | null {
  for (const [index, leg] of legs.entries()) {
    const refusal = legRefusal(leg, { direction, entryPrice, index });
    if (refusal !== null) return refusal;
  }
  return null;
}

/** `index`: where the leg stands in the request; null when it is the only thing asked for. */
export function legRefusal(
  leg: LegRequest,
  against: {
    readonly direction: Direction;
    readonly entryPrice: Price;
    readonly index: number | null;
  },
): Refusal | null {
  const { direction, entryPrice, index } = against;
  const isLong = direction === "long";
  const wrong = { code: "wrongSide", leg: index, entryPrice } as const;
  if (leg.stopLoss !== null && !isBeyond(leg.stopLoss, entryPrice, !isLong)) {
    const mustBe = isLong ? "below" : "above";
    return { ...wrong, field: "stopLoss", price: leg.stopLoss, mustBe };
  }
  if (leg.takeProfit !== null && !isBeyond(leg.takeProfit, entryPrice, isLong)) {
    const mustBe = isLong ? "above" : "below";
    return { ...wrong, field: "takeProfit", price: leg.takeProfit, mustBe };
  }
  return null;
}

function isBeyond(level: Price, entryPrice: Price, above: boolean): boolean {
  return above ? level > entryPrice : level < entryPrice;
}

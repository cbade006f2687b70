import type { BracketLeg } from "../state/order.ts";
import { type Quantity, quantity } from "../units.ts";

/**
 * `shareOf` ignores fills of other legs, so two legs of 50 % close the whole position. An add or an
 * opposite order changes it in proportion. @rule D5.legsFollow
 */
export function followPosition(leg: BracketLeg, before: Quantity, after: Quantity): BracketLeg {
  if (leg.shareOf === null) return leg;
  return { ...leg, shareOf: quantity(Math.round((leg.shareOf * after) / before)) };
}

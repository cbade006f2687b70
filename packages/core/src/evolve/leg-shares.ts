import type { OrderFilled } from "../state/event.ts";
import { areOfOneRequest } from "../state/leg-ids.ts";
import type { BracketLeg } from "../state/order.ts";
import { clampQuantity, type Quantity } from "../units.ts";

/**
 * The leg after a fill of its position. `shareOf` is the quantity that the share of the leg refers to: it grows with
 * each addition to the position, and falls in proportion with each reduction. A fill of a leg of the same request
 * leaves it unchanged, so that two legs of 50 % close the whole position. @rule D5.legsFollow D13.shareWhole decides
 */
export function legAfterFill(leg: BracketLeg, fill: OrderFilled, before: Quantity): BracketLeg {
  const { shareOf } = leg;
  if (areOfOneRequest(leg.uuid, fill.orderUuid)) return leg;
  const whole =
    fill.effect === "add"
      ? shareOf + fill.quantity
      : Math.round((shareOf * (before - fill.quantity)) / before);
  return { ...leg, shareOf: clampQuantity(whole) };
}

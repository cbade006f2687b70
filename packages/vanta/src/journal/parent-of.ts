import { orderOfLeg } from "@propgate/core";

/**
 * The id of the order with which a leg, or the limit order of a triggered stop, was placed; the same id for any other
 * order.
 */
export function parentOf(orderUuid: string): string {
  return (orderOfLeg(orderUuid) ?? orderUuid).replace(/-limit$/, "");
}

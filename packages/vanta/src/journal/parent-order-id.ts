import { parentOrderOfLeg } from "@propgate/core";

/**
 * The id of the order with which a leg was placed, or of the STOP_LIMIT that became this limit order. For any other
 * order, the order's own id.
 */
export function parentOrderId(orderUuid: string): string {
  return (parentOrderOfLeg(orderUuid) ?? orderUuid).replace(/-limit$/, "");
}

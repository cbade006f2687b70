import { parentOrderOfLeg } from "@propgate/core";

/**
 * The id of the order that a leg was placed with, or of the STOP_LIMIT whose limit order this is. For any other order
 * its own id.
 */
export function parentOrderId(orderUuid: string): string {
  return (parentOrderOfLeg(orderUuid) ?? orderUuid).replace(/-limit$/, "");
}

import { orderOfLeg } from "@propgate/core";

/** The order that a leg or the limit order of a triggered stop came with; the same id for any other order. */
export function parentOf(orderUuid: string): string {
  return (orderOfLeg(orderUuid) ?? orderUuid).replace(/-limit$/, "");
}

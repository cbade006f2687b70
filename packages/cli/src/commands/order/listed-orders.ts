import type { PendingOrder } from "@propgate/contract";
import type { IdList } from "./listed-id.ts";

/** Pending orders and legs as a list in which ids are looked up. */
export function orderIdList(orders: readonly PendingOrder[]): IdList<PendingOrder> {
  return {
    itemName: "order",
    items: orders,
    idOf: ({ orderUuid }) => orderUuid,
    notFoundText: (id) =>
      `no pending order has the id ${id}: it was filled, cancelled or never placed`,
    listHint: "List pending orders with: propgate orders.",
  };
}

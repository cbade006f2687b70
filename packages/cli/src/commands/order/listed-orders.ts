import type { PendingOrder } from "@propgate/contract";
import type { Listed } from "./listed-id.ts";

/** Pending orders and legs as a list in which ids are looked up. */
export function listedOrders(orders: readonly PendingOrder[]): Listed<PendingOrder> {
  return {
    what: "order",
    items: orders,
    idOf: ({ orderUuid }) => orderUuid,
    missing: (id) => `no pending order has the id ${id}: it was filled, cancelled or never placed`,
    seeThem: "List pending orders with: propgate orders.",
  };
}

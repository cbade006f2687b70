import type { PendingOrder } from "@propgate/contract";
import type { Listed } from "./listed-id.ts";

/** Resting orders and legs, by their ids. */
export function restingOrders(orders: readonly PendingOrder[]): Listed<PendingOrder> {
  return {
    what: "order",
    items: orders,
    idOf: ({ orderUuid }) => orderUuid,
    missing: (id) => `no resting order has the id ${id}: it was filled, cancelled or never there`,
    seeThem: "See what rests with: propgate orders.",
  };
}

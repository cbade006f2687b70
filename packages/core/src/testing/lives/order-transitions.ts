/**
 * The transitions of an order, for tests. Random runs compare the network's events with this table, which `evolve` does
 * not read.
 */

/** The status of an order in the table of its transitions. */
export type OrderStatus = "new" | "pending" | "filled" | "cancelled" | "rejected";

/** Every transition: the status before, the event and the status after. */
export const ORDER_TRANSITIONS = [
  { from: "new", by: "orderFilled", to: "filled" },
  { from: "new", by: "orderPlaced", to: "pending" },
  { from: "new", by: "legsAttached", to: "pending" },
  { from: "pending", by: "orderEdited", to: "pending" },
  { from: "pending", by: "stopTriggered", to: "pending" },
  { from: "pending", by: "trailMoved", to: "pending" },
  { from: "pending", by: "orderHeld", to: "pending" },
  { from: "pending", by: "orderFilled", to: "filled" },
  { from: "pending", by: "orderRejected", to: "rejected" },
  { from: "pending", by: "orderCancelled", to: "cancelled" },
] as const satisfies readonly {
  readonly from: OrderStatus;
  readonly by: string;
  readonly to: OrderStatus;
}[];

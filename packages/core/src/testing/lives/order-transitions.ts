/**
 * The test model of an order's life. `evolve` does not read this table: it rejects an event for an
 * order that is not pending. Random runs compare the network's events with the table.
 */
export type OrderStatus = "new" | "resting" | "filled" | "cancelled" | "rejected";

/** Every transition: the status before, the event, the status after. */
export const ORDER_MODEL = [
  { from: "new", by: "orderFilled", to: "filled" },
  { from: "new", by: "orderPlaced", to: "resting" },
  { from: "new", by: "legsAttached", to: "resting" },
  { from: "resting", by: "orderEdited", to: "resting" },
  { from: "resting", by: "stopTriggered", to: "resting" },
  { from: "resting", by: "trailMoved", to: "resting" },
  { from: "resting", by: "orderHeld", to: "resting" },
  { from: "resting", by: "orderFilled", to: "filled" },
  { from: "resting", by: "orderRejected", to: "rejected" },
  { from: "resting", by: "orderCancelled", to: "cancelled" },
] as const satisfies readonly {
  readonly from: OrderStatus;
  readonly by: string;
  readonly to: OrderStatus;
}[];

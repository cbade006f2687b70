import { type PendingOrder, type Trigger, triggersOf } from "@propgate/core";
import type { WatchLevel } from "./trigger-book.ts";

/** The prices at which one of the orders reacts, as far as `isMeant` is true for the reaction. */
export function orderLevels(
  orders: readonly PendingOrder[],
  isMeant: (reaction: Trigger["reaction"]) => boolean,
): readonly WatchLevel[] {
  return orders.flatMap((order) =>
    triggersOf(order)
      .filter(({ reaction }) => isMeant(reaction))
      .map(({ side, when, price }) => ({ pair: order.pair, side, when, price })),
  );
}

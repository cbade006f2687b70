import { type PendingOrder, type Trigger, triggersOf } from "@propgate/core";
import type { WatchLevel } from "./trigger-book.ts";

/** The prices at which one of the orders reacts, for the kinds of reaction for which `isMeant` returns true. */
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

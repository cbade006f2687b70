import type { OrderHistory } from "@propgate/contract";
import { cursorProblemText, placeCursor } from "../../event-cursors.ts";
import { pastOrder } from "../../views/events/order-life.ts";
import { answered, type Handler, type HandlerOptions, readAt, rejected } from "../handler.ts";
import { historyPages } from "../history-page.ts";

/** GET order-history: orders and legs of any status, by the time at which they began. @rule D9.orderHistory */
export function getOrderHistory({
  embedded,
  orderLives,
  instruments,
}: Pick<HandlerOptions, "embedded" | "orderLives" | "instruments">): Handler {
  const pageOf = historyPages(instruments);
  return async (input) => {
    const wanted = pageOf(input.query);
    if (!wanted.ok) return rejected("invalidHistory", wanted.message);
    const read = await orderLives.orders(input.accountId, wanted.page);
    if (!read.ok) return rejected("invalidHistory", cursorProblemText(read.problem));
    const pending = await embedded.pendingOrders(readAt(input));
    if (!pending.ok) return rejected("snapshotUnavailable");
    const history: OrderHistory = {
      items: read.items.flatMap((order) => pastOrder(order, pending.value) ?? []),
      next: placeCursor(read.next),
    };
    return answered(history);
  };
}

import type { OrderHistory } from "@propgate/contract";
import { cursorProblemText, placeCursor } from "../../event-cursors.ts";
import { pastOrder } from "../../views/events/order-life.ts";
import { answered, type Handler, type HandlerOptions, rejected } from "../handler.ts";
import { historyPages } from "../history-page.ts";

/** GET order-history: orders and legs of any status, by the time at which they began. @rule D9.orderHistory */
export function getOrderHistory({
  orderLives,
  instruments,
}: Pick<HandlerOptions, "orderLives" | "instruments">): Handler {
  const pageOf = historyPages(instruments);
  return async ({ accountId, query }) => {
    const wanted = pageOf(query);
    if (!wanted.ok) return rejected("invalidHistory", wanted.message);
    const read = await orderLives.orders(accountId, wanted.page);
    if (!read.ok) return rejected("invalidHistory", cursorProblemText(read.problem));
    const history: OrderHistory = {
      items: read.items.flatMap(({ orderUuid, lines }) => pastOrder(orderUuid, lines) ?? []),
      next: placeCursor(read.next),
    };
    return answered(history);
  };
}

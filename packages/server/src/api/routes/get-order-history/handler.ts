import { cursorProblemText, pastOrder } from "@propgate/wire";
import { fittingPage } from "../fitting-page.ts";
import {
  answeredJson,
  decidedOrders,
  type Handler,
  type HandlerOptions,
  rejected,
} from "../handler.ts";
import { historyPages, isNewest } from "../history-page.ts";

/** GET order-history: orders and legs of any status, by the time at which they began. @rule D9.orderHistory */
export function getOrderHistory({
  embedded,
  orderLives,
  instruments,
  networks,
}: Pick<HandlerOptions, "embedded" | "orderLives" | "instruments" | "networks">): Handler {
  const pageOf = historyPages({ instruments, networks });
  return async (input) => {
    const wanted = await pageOf(input);
    if (!wanted.ok) return rejected("invalidHistory", wanted.message);
    const read = await orderLives.orders(input.accountId, wanted.page);
    if (!read.ok) return rejected("invalidHistory", cursorProblemText(read.problem));
    const pending = await decidedOrders(embedded, input);
    if (!pending.ok) return rejected("snapshotUnavailable");
    const { items, next } = await fittingPage({
      found: read.items,
      next: read.next,
      isNewest: isNewest(wanted.page),
      lineOf: ({ lines }) => lines[0],
      view: (order) => pastOrder(order, pending.value),
    });
    return answeredJson(`{"items":${items},"next":${next}}`);
  };
}

import { cursorProblemText, pastOrder } from "@propgate/wire";
import { fittingPage } from "../fitting-page.ts";
import {
  answerWithJson,
  embeddedPendingOrders,
  type Handler,
  type HandlerOptions,
  rejectWith,
} from "../handler.ts";
import { createHistoryPageReader, isNewest } from "../history-page.ts";

/** GET order-history: orders and legs of any status, by the time at which they began. @rule D9.orderHistory */
export function getOrderHistory({
  embedded,
  orderLives,
  instruments,
  networks,
}: Pick<HandlerOptions, "embedded" | "orderLives" | "instruments" | "networks">): Handler {
  const pageOf = createHistoryPageReader({ instruments, networks });
  return async (input) => {
    const wanted = await pageOf(input);
    if (!wanted.ok) return rejectWith("invalidHistory", wanted.message);
    const read = await orderLives.orders(input.accountId, wanted.page);
    if (!read.ok) return rejectWith("invalidHistory", cursorProblemText(read.problem));
    const pending = await embeddedPendingOrders(embedded, input);
    if (!pending.ok) return rejectWith("snapshotUnavailable");
    const { items, next } = await fittingPage({
      found: read.items,
      next: read.next,
      isNewest: isNewest(wanted.page),
      lineOf: ({ lines }) => lines[0],
      view: (order) => pastOrder(order, pending.value),
    });
    return answerWithJson(`{"items":${items},"next":${next}}`);
  };
}

import { orderOfPath } from "@propgate/contract";
import { orderLife } from "../../views/events/order-life.ts";
import { answered, type Handler, type HandlerOptions, readAt, rejected } from "../handler.ts";

/** GET orders/{orderUuid}: the life of an order or leg. @rule D9.orderLife */
export const getOrder =
  ({ embedded, orderLives }: Pick<HandlerOptions, "embedded" | "orderLives">): Handler =>
  async (input) => {
    const orderUuid = orderOfPath(input.path) ?? "";
    if (!ORDER_ID.test(orderUuid)) return rejected("orderNotFound");
    const lines = await orderLives.find(input.accountId, orderUuid);
    if (lines === null) return rejected("orderNotFound");
    const pending = await embedded.pendingOrders(readAt(input));
    if (!pending.ok) return rejected("snapshotUnavailable");
    const life = orderLife({ orderUuid, lines }, pending.value);
    return life === null ? rejected("orderNotFound") : answered(life);
  };

/** Other texts, such as one with a zero byte, never reach the database. */
const ORDER_ID = /^[\w-]{1,64}$/;

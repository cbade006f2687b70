import { orderOfPath } from "@propgate/contract";
import { orderLife } from "../../views/events/order-life.ts";
import { answered, type Handler, type HandlerOptions, rejected } from "../handler.ts";

/** GET orders/{orderUuid}: the life of an order or leg. @rule D9.orderLife */
export const getOrder =
  ({ orderLives }: Pick<HandlerOptions, "orderLives">): Handler =>
  async ({ accountId, path }) => {
    const orderUuid = orderOfPath(path) ?? "";
    if (!ORDER_ID.test(orderUuid)) return rejected("orderNotFound");
    const lines = await orderLives.find(accountId, orderUuid);
    const life = lines === null ? null : orderLife(orderUuid, lines);
    return life === null ? rejected("orderNotFound") : answered(life);
  };

/** Other texts, such as one with a zero byte, never reach the database. */
const ORDER_ID = /^[\w-]{1,64}$/;

import { pendingOrderView } from "../../views/pending-order.ts";
import { type Handler, type HandlerOptions, readAt, readingOutcome } from "../handler.ts";

/** GET orders: pending entry orders and legs. @rule S2.3 */
export const getOrders =
  ({ network, instruments }: Pick<HandlerOptions, "network" | "instruments">): Handler =>
  async (input) =>
    readingOutcome(await network.pendingOrders(readAt(input)), (orders) =>
      orders.map((order) => pendingOrderView(order, instruments)),
    );

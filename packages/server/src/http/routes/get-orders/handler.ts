import { pendingOrderView } from "../../views/pending-order.ts";
import { type Handler, type HandlerNeeds, outcomeOf, readAt } from "../handler.ts";

/** GET orders: what rests, entry orders and legs. @rule S2.3 */
export const getOrders =
  ({ network, instruments }: Pick<HandlerNeeds, "network" | "instruments">): Handler =>
  async (asked) =>
    outcomeOf(await network.pendingOrders(readAt(asked)), (orders) =>
      orders.map((order) => pendingOrderView(order, instruments)),
    );

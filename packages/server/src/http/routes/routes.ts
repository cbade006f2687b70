import type { EndpointName } from "@propgate/contract";
import { getAccount } from "./get-account/handler.ts";
import { getOrders } from "./get-orders/handler.ts";
import { getPayouts } from "./get-payouts/handler.ts";
import { getPositions } from "./get-positions/handler.ts";
import { getTrades } from "./get-trades/handler.ts";
import type { Handler, HandlerNeeds } from "./handler.ts";
import { placeOrder } from "./place-order/handler.ts";

/** Who answers each endpoint. @rule S4.endpoints */
export function routes(need: HandlerNeeds): Readonly<Record<EndpointName, Handler>> {
  return {
    getAccount: getAccount(need),
    getPositions: getPositions(need),
    getOrders: getOrders(need),
    getTrades: getTrades(need),
    getPayouts: getPayouts(need),
    placeOrder: placeOrder(need),
  };
}

import type { SignedEndpointName } from "@propgate/contract";
import { getAccount } from "./get-account/handler.ts";
import { getInstruments } from "./get-instruments/handler.ts";
import { getOrders } from "./get-orders/handler.ts";
import { getPayouts } from "./get-payouts/handler.ts";
import { getPositions } from "./get-positions/handler.ts";
import { getQuotes } from "./get-quotes/handler.ts";
import { getReceipt } from "./get-receipt/handler.ts";
import { getTrades } from "./get-trades/handler.ts";
import type { Handler, HandlerNeeds } from "./handler.ts";
import { placeOrder } from "./place-order/handler.ts";
import { previewOrder } from "./preview-order/handler.ts";

/** The handler of each endpoint. @rule S4.endpoints D9.additive */
export function routes(need: HandlerNeeds): Readonly<Record<SignedEndpointName, Handler>> {
  return {
    getAccount: getAccount(need),
    getPositions: getPositions(need),
    getOrders: getOrders(need),
    getTrades: getTrades(need),
    getPayouts: getPayouts(need),
    placeOrder: placeOrder(need),
    getInstruments: getInstruments(need),
    getQuotes: getQuotes(need),
    getReceipt: getReceipt(need),
    previewOrder: previewOrder(need),
  };
}

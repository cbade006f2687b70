import type { SignedEndpointName } from "@propgate/contract";
import { type BoundedHandler, bounded } from "../expensive-reads.ts";
import { cancelAllAfter } from "./cancel-all-after/handler.ts";
import { getAccount } from "./get-account/handler.ts";
import { getCandles } from "./get-candles/handler.ts";
import { getEventStream } from "./get-event-stream/handler.ts";
import { getEvents } from "./get-events/handler.ts";
import { getFills } from "./get-fills/handler.ts";
import { getInstruments } from "./get-instruments/handler.ts";
import { getOrder } from "./get-order/handler.ts";
import { getOrderHistory } from "./get-order-history/handler.ts";
import { getOrders } from "./get-orders/handler.ts";
import { getPayouts } from "./get-payouts/handler.ts";
import { getPositions } from "./get-positions/handler.ts";
import { getQuotes } from "./get-quotes/handler.ts";
import { getReceipt } from "./get-receipt/handler.ts";
import { getTrades } from "./get-trades/handler.ts";
import type { AnyHandler, Handler, HandlerOptions } from "./handler.ts";
import { placeOrder } from "./place-order/handler.ts";
import { previewOrder } from "./preview-order/handler.ts";

/** The handler of each endpoint. @rule S4.endpoints D9.additive */
export function routes(options: HandlerOptions): Readonly<Record<SignedEndpointName, AnyHandler>> {
  const expensive = (handler: BoundedHandler): Handler => bounded(options.expensiveReads, handler);
  return {
    getAccount: getAccount(options),
    getPositions: getPositions(options),
    getOrders: getOrders(options),
    getTrades: expensive(getTrades(options)),
    getPayouts: getPayouts(options),
    placeOrder: placeOrder(options),
    getInstruments: getInstruments(options),
    getQuotes: getQuotes(options),
    getCandles: expensive(getCandles(options)),
    getReceipt: getReceipt(options),
    getEvents: expensive(getEvents(options)),
    getEventStream: getEventStream(options),
    getOrder: expensive(getOrder(options)),
    getOrderHistory: expensive(getOrderHistory(options)),
    getFills: expensive(getFills(options)),
    previewOrder: previewOrder(options),
    cancelAllAfter: cancelAllAfter(options),
  };
}

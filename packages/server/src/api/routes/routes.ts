import type { SignedEndpointName } from "@propgate/contract";
import { asExpensiveRead, type BoundedHandler } from "../bounded-reads.ts";
import { createAccountReads, createReadingHandler } from "./account-reads.ts";
import { cancelAllAfter } from "./cancel-all-after/handler.ts";
import { getCandles } from "./get-candles/handler.ts";
import { getEventStream } from "./get-event-stream/handler.ts";
import { getPayouts } from "./get-payouts/handler.ts";
import { getQuotes } from "./get-quotes/handler.ts";
import { getReceipt } from "./get-receipt/handler.ts";
import type { AnyHandler, Handler, HandlerOptions } from "./handler.ts";
import { placeOrder } from "./place-order/handler.ts";
import { previewOrder } from "./preview-order/handler.ts";

/** The handler of each endpoint. @rule S4.endpoints D9.additive */
export function createHandlers(
  options: HandlerOptions,
): Readonly<Record<SignedEndpointName, AnyHandler>> {
  const expensive = (handler: BoundedHandler): Handler =>
    asExpensiveRead(options.expensiveReads, handler);
  const reads = createAccountReads(options);
  return {
    getAccount: createReadingHandler(options, "account"),
    getPositions: createReadingHandler(options, "positions"),
    getOrders: createReadingHandler(options, "pendingOrders"),
    getTrades: expensive(reads.getTrades),
    getPayouts: getPayouts(options),
    placeOrder: placeOrder(options),
    getInstruments: createReadingHandler(options, "instruments"),
    getQuotes: getQuotes(options),
    getCandles: expensive(getCandles(options)),
    getReceipt: getReceipt(options),
    getEvents: expensive(reads.getEvents),
    getEventStream: getEventStream(options),
    getOrder: expensive(reads.getOrder),
    getOrderHistory: expensive(reads.getOrderHistory),
    getFills: expensive(reads.getFills),
    previewOrder: previewOrder(options),
    cancelAllAfter: cancelAllAfter(options),
  };
}

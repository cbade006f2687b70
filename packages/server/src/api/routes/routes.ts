import type { SignedEndpointName } from "@propgate/contract";
import { type BoundedHandler, bounded } from "../bounded-reads.ts";
import { cancelAllAfter } from "./cancel-all-after/handler.ts";
import { getCandles } from "./get-candles/handler.ts";
import { getEventStream } from "./get-event-stream/handler.ts";
import { getEvents } from "./get-events/handler.ts";
import { getFills } from "./get-fills/handler.ts";
import { getOrder } from "./get-order/handler.ts";
import { getOrderHistory } from "./get-order-history/handler.ts";
import { getPayouts } from "./get-payouts/handler.ts";
import { getQuotes } from "./get-quotes/handler.ts";
import { getReceipt } from "./get-receipt/handler.ts";
import { getTrades } from "./get-trades/handler.ts";
import {
  type AnyHandler,
  type Handler,
  type HandlerOptions,
  networkOf,
  readAt,
  readingOutcome,
} from "./handler.ts";
import { placeOrder } from "./place-order/handler.ts";
import { previewOrder } from "./preview-order/handler.ts";

/** The readings that are answered as they are. @rule S2.1 S2.2 S2.3 D9.instruments */
type ShownReading = "account" | "positions" | "pendingOrders" | "instruments";

/** The handler of each endpoint. @rule S4.endpoints D9.additive */
export function routes(options: HandlerOptions): Readonly<Record<SignedEndpointName, AnyHandler>> {
  const expensive = (handler: BoundedHandler): Handler => bounded(options.expensiveReads, handler);
  const shown =
    (read: ShownReading): Handler =>
    async (input) =>
      readingOutcome(await networkOf(options, input)[read](readAt(input)), input);
  return {
    getAccount: shown("account"),
    getPositions: shown("positions"),
    getOrders: shown("pendingOrders"),
    getTrades: expensive(getTrades(options)),
    getPayouts: getPayouts(options),
    placeOrder: placeOrder(options),
    getInstruments: shown("instruments"),
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

import type { BoundedHandler } from "../bounded-reads.ts";
import { getEvents } from "./get-events/handler.ts";
import { getFills } from "./get-fills/handler.ts";
import { getOrder } from "./get-order/handler.ts";
import { getOrderHistory } from "./get-order-history/handler.ts";
import { getPayouts } from "./get-payouts/handler.ts";
import { getTrades } from "./get-trades/handler.ts";
import {
  type Handler,
  type HandlerOptions,
  minimumReadAt,
  networkOf,
  readingOutcome,
} from "./handler.ts";

/** The readings whose value is the answer, unchanged. @rule S2.1 S2.2 S2.3 D9.instruments */
type ShownReading = "account" | "positions" | "pendingOrders" | "instruments";

/** Returns a handler that answers the value of a reading of the account's network, unchanged. */
export function createReadingHandler(options: HandlerOptions, read: ShownReading): Handler {
  return async (input) =>
    readingOutcome(await networkOf(options, input)[read](minimumReadAt(input)), input);
}

/** The reads of one account that both its keys and the operator have. */
export type AccountReadName =
  | "getPositions"
  | "getOrders"
  | "getTrades"
  | "getPayouts"
  | "getEvents"
  | "getOrder"
  | "getOrderHistory"
  | "getFills";

/** Reads the account as GET account does. */
export function accountSnapshot(options: HandlerOptions): BoundedHandler {
  return createReadingHandler(options, "account");
}

export type AccountReads = Readonly<Record<AccountReadName, BoundedHandler>>;

/**
 * The handlers of the reads in `AccountReadName`, without the limit on expensive reads of one account, which the signed
 * endpoints add.
 */
export function createAccountReads(options: HandlerOptions): AccountReads {
  return {
    getPositions: createReadingHandler(options, "positions"),
    getOrders: createReadingHandler(options, "pendingOrders"),
    getTrades: getTrades(options),
    getPayouts: getPayouts(options),
    getEvents: getEvents(options),
    getOrder: getOrder(options),
    getOrderHistory: getOrderHistory(options),
    getFills: getFills(options),
  };
}

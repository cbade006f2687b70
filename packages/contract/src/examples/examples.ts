import type { EnvelopedName, SignedEndpointName } from "../endpoints.ts";
import { ACCOUNT_ELIMINATED, ACCOUNT_PRO, ACCOUNT_STATIC } from "./accounts.ts";
import {
  CANDLES,
  INSTRUMENTS,
  ORDER_PREVIEW,
  QUOTES,
  RECEIPT_ACCEPTED,
  RECEIPT_PENDING,
  RECEIPT_REJECTED,
  RECEIPT_UNSEEN,
  RECEIPT_WITHDRAWN,
  SWITCH_ARMED,
  SWITCH_ENDED,
} from "./additive.ts";
import { EVENTS, FILLS_PAGE, LIFE_OF_ORDER, PAST_ORDERS } from "./events.ts";
import { PAYOUTS_FIRST_PAGE, PENDING_ORDERS, POSITIONS, TRADES } from "./listings.ts";
import { ORDER_CANCELLED, ORDER_FILLED, ORDER_FLATTENED, ORDER_RESTING } from "./order-results.ts";

/** An example of an endpoint's `data`, with its summary for the documentation. */
export interface ResponseExample {
  readonly endpoint: SignedEndpointName;
  readonly summary: string;
  readonly data: unknown;
}

type Examples = Readonly<Record<string, ResponseExample>>;

/** Returns the examples unchanged. A call does not compile when an endpoint has no example. */
function requireAllEndpoints<const All extends Examples>(
  all: All & (EnvelopedName extends All[keyof All]["endpoint"] ? unknown : never),
): Examples {
  return all;
}

/** Consistent example answers for each resource and outcome, by their file names in `fixtures/`. */
export const RESPONSE_EXAMPLES: Examples = requireAllEndpoints({
  "account-static": {
    endpoint: "getAccount",
    summary: "A challenge on static limits",
    data: ACCOUNT_STATIC,
  },
  "account-pro": { endpoint: "getAccount", summary: "A pro challenge", data: ACCOUNT_PRO },
  "account-eliminated": {
    endpoint: "getAccount",
    summary: "Ended by the daily loss limit",
    data: ACCOUNT_ELIMINATED,
  },
  positions: { endpoint: "getPositions", summary: "One open position", data: POSITIONS },
  orders: { endpoint: "getOrders", summary: "A leg and a limit order", data: PENDING_ORDERS },
  trades: { endpoint: "getTrades", summary: "Two closed trades", data: TRADES },
  payouts: { endpoint: "getPayouts", summary: "The only page", data: PAYOUTS_FIRST_PAGE },
  "order-filled": {
    endpoint: "placeOrder",
    summary: "MARKET with a stop and a target",
    data: ORDER_FILLED,
  },
  "order-resting": { endpoint: "placeOrder", summary: "LIMIT with a stop", data: ORDER_RESTING },
  "order-cancelled": { endpoint: "placeOrder", summary: "LIMIT_CANCEL", data: ORDER_CANCELLED },
  "order-flattened": { endpoint: "placeOrder", summary: "FLAT_ALL", data: ORDER_FLATTENED },
  instruments: { endpoint: "getInstruments", summary: "Two of the pairs", data: INSTRUMENTS },
  quotes: { endpoint: "getQuotes", summary: "One live, one too old", data: QUOTES },
  candles: {
    endpoint: "getCandles",
    summary: "A gap of a minute, and the running candle",
    data: CANDLES,
  },
  "receipt-accepted": {
    endpoint: "getReceipt",
    summary: "Carried out, with its answer",
    data: RECEIPT_ACCEPTED,
  },
  "receipt-rejected": {
    endpoint: "getReceipt",
    summary: "Answered with an error",
    data: RECEIPT_REJECTED,
  },
  "receipt-pending": {
    endpoint: "getReceipt",
    summary: "Not decided yet",
    data: RECEIPT_PENDING,
  },
  "receipt-unseen": {
    endpoint: "getReceipt",
    summary: "It has not arrived",
    data: RECEIPT_UNSEEN,
  },
  "receipt-withdrawn": {
    endpoint: "getReceipt",
    summary: "Withdrawn before it arrived",
    data: RECEIPT_WITHDRAWN,
  },
  events: { endpoint: "getEvents", summary: "A fill with its legs", data: EVENTS },
  "order-life": { endpoint: "getOrder", summary: "A filled order", data: LIFE_OF_ORDER },
  "order-history": {
    endpoint: "getOrderHistory",
    summary: "A filled order and its leg",
    data: PAST_ORDERS,
  },
  fills: { endpoint: "getFills", summary: "One fill", data: FILLS_PAGE },
  preview: { endpoint: "previewOrder", summary: "A purchase with a stop", data: ORDER_PREVIEW },
  "switch-armed": {
    endpoint: "cancelAllAfter",
    summary: "Closes everything unless it is renewed within a minute",
    data: SWITCH_ARMED,
  },
  "switch-ended": { endpoint: "cancelAllAfter", summary: "No longer armed", data: SWITCH_ENDED },
});

/** Request bodies for each kind of order, by name. */
export const REQUEST_EXAMPLES: Readonly<Record<string, { readonly trade: object }>> = {
  market: {
    trade: {
      execution_type: "MARKET",
      trade_pair: "BTCUSD",
      order_type: "LONG",
      quantity: 0.5,
      stop_loss: 88_000,
      take_profit: 95_000,
    },
  },
  flat: { trade: { execution_type: "MARKET", trade_pair: "BTCUSD", order_type: "FLAT" } },
  limit: {
    trade: {
      execution_type: "LIMIT",
      trade_pair: "ETH/USD",
      order_type: "LONG",
      value: 10_000,
      limit_price: 2_900,
      stop_loss: 2_800,
    },
  },
  stopLimit: {
    trade: {
      execution_type: "STOP_LIMIT",
      trade_pair: "EURUSD",
      order_type: "SHORT",
      leverage: 0.5,
      limit_price: 1.095,
      stop_price: 1.096,
      stop_condition: "LTE",
    },
  },
  bracket: {
    trade: {
      execution_type: "BRACKET",
      trade_pair: "BTCUSD",
      bracket_orders: [
        { take_profit: 93_000, bracket_pct: 0.5 },
        { trailing_percent: 0.02, take_profit: 97_000 },
      ],
    },
  },
  cancel: {
    trade: { execution_type: "LIMIT_CANCEL", order_uuid: "b4d6f8a0-2c4e-4f6a-8b0d-1e3f5a7c9b2d" },
  },
  edit: {
    trade: {
      execution_type: "LIMIT_EDIT",
      order_uuid: "b4d6f8a0-2c4e-4f6a-8b0d-1e3f5a7c9b2d",
      trade_pair: "ETHUSD",
      order_type: "LONG",
      value: 10_000,
      limit_price: 2_950,
      stop_loss: 2_800,
    },
  },
  flatten: { trade: { execution_type: "FLAT_ALL" } },
};

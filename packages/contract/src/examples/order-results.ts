import { NO_DIFFERENCE } from "../resources/fill-difference.ts";
import type { OrderRecordItem, OrderResult } from "../resources/order-result.ts";

const UNUSED = {
  limitPrice: null,
  stopPrice: null,
  stopCondition: null,
  stopLoss: null,
  takeProfit: null,
  bracketPct: null,
  bindingCap: null,
  ...NO_DIFFERENCE,
  reduceOnly: false,
  bracketOrders: null,
} as const;

const NO_LISTS = { ended: null, closed: null, stayed: null, notFound: null } as const;

const UNUSED_LEG = {
  quantity: null,
  value: null,
  leverage: null,
  bracketPct: null,
  trailingPercent: null,
  trailingValue: null,
} as const;

const FILLED: OrderRecordItem = {
  orderUuid: "7e1f0a34-52b6-4d8c-a9e0-3c5d7f9b1a24",
  tradePair: "BTCUSD",
  tradePairDisplay: "BTC/USD",
  orderType: "LONG",
  executionType: "MARKET",
  filled: true,
  quantity: 0.5,
  value: 45_000,
  leverage: 0.447843,
  price: 90_000,
  slippage: 0,
  fee: 13.5,
  realizedPnl: 0,
  processedMs: 1_767_776_400_000,
  ...UNUSED,
  stopLoss: 88_000,
  takeProfit: 95_000,
  bracketOrders: [
    {
      ...UNUSED_LEG,
      orderUuid: "7e1f0a34-52b6-4d8c-a9e0-3c5d7f9b1a24-bracket-0",
      stopLoss: 88_000,
      takeProfit: 95_000,
    },
  ],
};

const RESTING: OrderRecordItem = {
  orderUuid: "b4d6f8a0-2c4e-4f6a-8b0d-1e3f5a7c9b2d",
  tradePair: "ETHUSD",
  tradePairDisplay: "ETH/USD",
  orderType: "LONG",
  executionType: "LIMIT",
  filled: false,
  quantity: null,
  value: 10_000,
  leverage: null,
  price: null,
  slippage: null,
  fee: null,
  realizedPnl: null,
  processedMs: 1_767_778_200_000,
  ...UNUSED,
  limitPrice: 2_900,
  stopLoss: 2_800,
  bracketOrders: [
    {
      ...UNUSED_LEG,
      orderUuid: null,
      stopLoss: 2_800,
      takeProfit: null,
    },
  ],
};

/** The answer of the market order that opened the position of `POSITIONS`. */
export const ORDER_FILLED: OrderResult = {
  success: true,
  status: "filled",
  order_uuid: FILLED.orderUuid,
  message: "LONG BTC/USD filled: 0.5 lots (45000 USD) at 90000.00.",
  error_message: "",
  processing_time: 0.004,
  order_json: JSON.stringify(FILLED),
  order: FILLED,
  ...NO_LISTS,
};

/** The answer of the limit order of `PENDING_ORDERS`. */
export const ORDER_RESTING: OrderResult = {
  success: true,
  status: "resting",
  order_uuid: RESTING.orderUuid,
  message: "LIMIT LONG ETH/USD rests.",
  error_message: "",
  processing_time: 0.003,
  order_json: JSON.stringify(RESTING),
  order: RESTING,
  ...NO_LISTS,
};

/** The answer of the cancellation of the order of `ORDER_RESTING`. */
export const ORDER_CANCELLED: OrderResult = {
  success: true,
  status: "cancelled",
  order_uuid: RESTING.orderUuid,
  message: "1 order cancelled.",
  error_message: "",
  processing_time: 0.003,
  order_json: JSON.stringify(null),
  order: null,
  ...NO_LISTS,
  notFound: [],
};

/** The answer of FLAT_ALL for the position of `POSITIONS`. */
export const ORDER_FLATTENED: OrderResult = {
  success: true,
  status: "flattened",
  order_uuid: FILLED.orderUuid,
  message: "1 position closed.",
  error_message: "",
  processing_time: 0.005,
  order_json: JSON.stringify(null),
  order: null,
  ended: null,
  closed: [{ tradePair: FILLED.tradePair }],
  stayed: [],
  notFound: [],
};

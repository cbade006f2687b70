import { frameText, MARK_FRAME } from "../event-frame.ts";
import type { StreamMark } from "../resources/events/event-stream.ts";
import type { EventsPage } from "../resources/events/events.ts";
import { NO_DIFFERENCE } from "../resources/fill-difference.ts";
import type { FillItem, Fills, OrderHistory, OrderLife } from "../resources/order-history.ts";
import { NO_DISTANCE, UNUSED } from "./unused-fields.ts";

const CAUSE = {
  by: "key",
  keyId: "pk_8Hq2mVxT0aYcLr5ZkD3w",
  nonce: "5f0d8a1c7e3b49a2b6c4d8e0f1a2b3c4",
  command: "placeMarket",
} as const;
const LEG = {
  orderUuid: "7e1f0a34-52b6-4d8c-a9e0-3c5d7f9b1a24-bracket-0",
  tradePair: "BTCUSD",
  orderType: "LONG",
  executionType: "BRACKET",
  placedMs: 1_767_776_400_000,
  limitPrice: null,
  ...UNUSED,
  stopLoss: 88_000,
  takeProfit: 95_000,
  ...NO_DISTANCE,
  positionUuid: "7e1f0a34-52b6-4d8c-a9e0-3c5d7f9b1a24",
  reduceOnly: true,
  bracketOrders: null,
} as const;

const FILLED: FillItem = {
  id: "evt_5d0c3e0e8f3b4c6d9a572f1c7a0b9e11_418",
  sequence: 418,
  cursor: "418-9f2c41ab07d35e6c88b1d20f6a4e91c3",
  type: "order.filled",
  atMs: 1_767_776_400_000,
  dueMs: null,
  cause: CAUSE,
  data: {
    orderUuid: "7e1f0a34-52b6-4d8c-a9e0-3c5d7f9b1a24",
    positionUuid: "7e1f0a34-52b6-4d8c-a9e0-3c5d7f9b1a24",
    kind: "market",
    tradePair: "BTCUSD",
    direction: "LONG",
    effect: "open",
    price: 90_000,
    slippage: 0,
    quantity: 0.5,
    value: 45_000,
    leverage: 0.447843,
    fee: 13.5,
    realizedPnl: 0,
    bindingCap: null,
    ...NO_DIFFERENCE,
    usdRate: 1,
    rateAgeMs: null,
    tookRestAlong: false,
    legsDropped: false,
  },
};
const ATTACHED: EventsPage["items"][number] = {
  id: "evt_5d0c3e0e8f3b4c6d9a572f1c7a0b9e11_419",
  sequence: 419,
  cursor: "419-1b7e09d4c2a85f36e0417d9b8c53fa60",
  type: "legs.attached",
  atMs: 1_767_776_400_000,
  dueMs: null,
  cause: CAUSE,
  data: { legs: [LEG] },
};

/** The two events of the order of `ORDER_FILLED`: its fill and the attachment of its leg. */
export const EVENTS: EventsPage = {
  items: [FILLED, ATTACHED],
  next: "419-1b7e09d4c2a85f36e0417d9b8c53fa60",
  head: {
    sequence: 419,
    hash: "1b7e09d4c2a85f36e0417d9b8c53fa6042d1ae7790c35b8e6f21d4087a9c3e15",
  },
};

const MARK: StreamMark = { cursor: ATTACHED.cursor, atMs: 1_767_776_415_000, live: true };

/** The first frames of an event stream: two events and a `mark` frame. */
export const STREAM_EXAMPLE: string = [
  frameText({ id: FILLED.cursor, event: FILLED.type, data: JSON.stringify(FILLED) }),
  frameText({ id: ATTACHED.cursor, event: ATTACHED.type, data: JSON.stringify(ATTACHED) }),
  frameText({ event: MARK_FRAME, data: JSON.stringify(MARK) }),
].join("");

const PAST: OrderHistory["items"][number] = {
  orderUuid: FILLED.data.orderUuid,
  sequence: 418,
  cursor: FILLED.cursor,
  tradePair: "BTCUSD",
  orderType: "LONG",
  executionType: "MARKET",
  status: "filled",
  placedMs: 1_767_776_400_000,
  updatedMs: 1_767_776_400_000,
  endedMs: 1_767_776_400_000,
  keyId: CAUSE.keyId,
  nonce: CAUSE.nonce,
  positionUuid: FILLED.data.positionUuid,
  order: null,
  currentStop: null,
  bestPrice: null,
  filledQuantity: 0.5,
  filledValue: 45_000,
  averagePrice: 90_000,
  fee: 13.5,
  realizedPnl: 0,
  bindingCap: null,
  ...NO_DIFFERENCE,
  reduced: false,
  reason: null,
  refusalCode: null,
};

/** The life of the order of `ORDER_FILLED`. */
export const LIFE_OF_ORDER: OrderLife = {
  ...PAST,
  legs: [LEG.orderUuid],
  fills: [FILLED],
  events: [FILLED, ATTACHED],
  next: null,
};

/** A page of past orders: the order of `ORDER_FILLED` and the leg that it attached. */
export const PAST_ORDERS: OrderHistory = {
  items: [
    PAST,
    {
      ...PAST,
      orderUuid: LEG.orderUuid,
      sequence: 419,
      cursor: ATTACHED.cursor,
      executionType: "BRACKET",
      status: "resting",
      endedMs: null,
      order: LEG,
      filledQuantity: 0,
      filledValue: 0,
      averagePrice: null,
      fee: 0,
    },
  ],
  next: ATTACHED.cursor,
};

/** A page of fills with the fill of `ORDER_FILLED`. */
export const FILLS_PAGE: Fills = { items: [FILLED], next: FILLED.cursor };

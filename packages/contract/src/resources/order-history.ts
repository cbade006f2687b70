import { REFUSAL_CODES } from "../refusals.ts";
import {
  boolean,
  ifSent,
  type Linked,
  list,
  nullable,
  number,
  object,
  string,
  time,
  type Wire,
  word,
} from "../schema.ts";
import { POSITION_TYPES, RESTING_EXECUTION_TYPES } from "../words.ts";
import { EVENT } from "./events/events.ts";
import { CANCEL_REASONS, ORDER_EVENTS } from "./events/order-events.ts";
import { ORDER_IN_EVENT } from "./events/order-in-event.ts";
import { DIFFERENCE } from "./fill-difference.ts";
import { TRAILED } from "./pending-fields.ts";

/** The values of `status` of an order's life. @rule D9.orderLife */
const LIFE_STATUSES = ["resting", "triggered", "filled", "cancelled", "rejected"] as const;

/** The values of `executionType` of an order's life. */
const LIFE_EXECUTION_TYPES = ["MARKET", ...RESTING_EXECUTION_TYPES] as const;

const FIELDS = {
  orderUuid: string("The order's id."),
  sequence: time("Number of the event with which the order began."),
  cursor: string("The same place as a cursor."),
  tradePair: string("Pair identifier, `BTCUSD`."),
  orderType: ifSent(word(POSITION_TYPES, "Direction; a leg has its position's direction.")),
  executionType: ifSent(
    word(
      LIFE_EXECUTION_TYPES,
      "`BRACKET` for a leg. `MARKET` also for an order that closes positions. A STOP_LIMIT stays one when its stop was reached; its `order` is then a LIMIT.",
    ),
  ),
  status: word(
    LIFE_STATUSES,
    "`resting`: pending. `triggered`: a STOP_LIMIT whose stop was reached, pending as a LIMIT. `filled`, `cancelled`, `rejected`: it has ended.",
  ),
  placedMs: time("When it was accepted."),
  updatedMs: time("Time of its last event."),
  endedMs: nullable(time("When it was filled, cancelled or rejected; null while it is pending.")),
  keyId: nullable(string("The key that placed it; null if no key did.")),
  nonce: nullable(string("The nonce of the request that placed it; null if no key did.")),
  positionUuid: nullable(string("The position of a leg or of a fill; null before.")),
  order: nullable(ORDER_IN_EVENT),
  ...TRAILED,
  filledQuantity: ifSent(number("Filled quantity in the pair's lot unit; 0 before the fill.")),
  filledValue: ifSent(number("Filled value, USD; 0 before the fill.")),
  averagePrice: nullable(number("Average price of its fills; null before the fill.")),
  fee: ifSent(number("Fees of its fills, USD.")),
  realizedPnl: ifSent(number("PnL that its fills realized, before fees, USD.")),
  bindingCap: nullable(string("The cap that reduced the size or left no room; null without one.")),
  ...DIFFERENCE,
  reduced: ifSent(boolean("True when its fill reduced or closed a position.")),
  reason: nullable(
    word(
      CANCEL_REASONS,
      "Why it was cancelled; null unless it was, and when a validator did not say why.",
    ),
  ),
  refusalCode: nullable(
    word(REFUSAL_CODES, "Why it could not be filled; null unless it was rejected."),
  ),
};

/** Item of GET order-history. @rule D9.orderHistory */
export const PAST_ORDER = object("An order or leg of any status.", FIELDS);
export type PastOrder<Unsent extends Linked = never> = Wire<typeof PAST_ORDER, Unsent>;

/** Item of GET fills, and of `fills` of an order's life. @rule D9.fills */
const FILL = ORDER_EVENTS["order.filled"];
export type FillItem<Unsent extends Linked = never> = Wire<typeof FILL, Unsent>;

/** `data` of GET orders/{orderUuid}. @rule D9.orderLife */
export const ORDER_LIFE = object("The life of an order.", {
  ...FIELDS,
  legs: list(string("A leg's id."), "The legs that it attached, in the order of the request."),
  fills: list(FILL, "Its fills, oldest first."),
  events: list(
    EVENT,
    "The events that name it except prices that a trailing stop followed, oldest first; from the first one on, or those after `after`.",
  ),
  next: nullable(
    string("Pass it back as `after` for the events that follow; null when there are none now."),
  ),
});
export type OrderLife<Unsent extends Linked = never> = Wire<typeof ORDER_LIFE, Unsent>;

const NEXT = string("Pass it back as `after` for what follows.");

/** `data` of GET order-history. */
export const ORDER_HISTORY = object("A page of orders by the time at which they began.", {
  items: list(PAST_ORDER, "Oldest first. Legs that were attached together are never divided."),
  next: NEXT,
});
export type OrderHistory<Unsent extends Linked = never> = Wire<typeof ORDER_HISTORY, Unsent>;

/** `data` of GET fills. */
export const FILLS = object("A page of fills.", {
  items: list(FILL, "Oldest first."),
  next: NEXT,
});
export type Fills<Unsent extends Linked = never> = Wire<typeof FILLS, Unsent>;

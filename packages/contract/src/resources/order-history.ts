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
  sequence: time("Sequence number of the event with which the order began."),
  cursor: string("The cursor of that event."),
  tradePair: string("Pair identifier, such as `BTCUSD`."),
  orderType: ifSent(word(POSITION_TYPES, "Direction; that of the position for a leg.")),
  executionType: ifSent(
    word(
      LIFE_EXECUTION_TYPES,
      "The kind of order. `BRACKET` for a leg; `MARKET` also for an order that closes positions. A STOP_LIMIT keeps this kind after its stop price is reached, although its `order` is a LIMIT then.",
    ),
  ),
  status: word(
    LIFE_STATUSES,
    "`resting`: pending. `triggered`: a STOP_LIMIT whose stop price was reached, pending as a LIMIT. `filled`, `cancelled` and `rejected`: the order has ended.",
  ),
  placedMs: time("When the order was accepted."),
  updatedMs: time("Time of the order's newest event."),
  endedMs: nullable(
    time("When the order was filled, cancelled or rejected; null while it is pending."),
  ),
  keyId: nullable(string("The id of the API key that placed the order; null when no key did.")),
  nonce: nullable(string("The nonce of the request that placed the order; null when no key did.")),
  positionUuid: nullable(
    string(
      "The position of a leg, or the position that a fill opened or changed; null for an order before its fill.",
    ),
  ),
  order: nullable(ORDER_IN_EVENT),
  ...TRAILED,
  filledQuantity: ifSent(number("Filled quantity in the pair's lot unit; 0 without a fill.")),
  filledValue: ifSent(number("Filled value, USD; 0 without a fill.")),
  averagePrice: nullable(number("Average fill price; null without a fill.")),
  fee: ifSent(number("Fees of the fills, USD; 0 without a fill.")),
  realizedPnl: ifSent(number("PnL that the fills realized, before fees, USD; 0 without a fill.")),
  bindingCap: nullable(
    string("The leverage cap that reduced the fill or allowed none; null when no cap did."),
  ),
  ...DIFFERENCE,
  reduced: ifSent(boolean("True when a fill of the order reduced or closed a position.")),
  reason: nullable(
    word(
      CANCEL_REASONS,
      "Why the order was cancelled; null for an order that was not cancelled, or when a validator gave no reason.",
    ),
  ),
  refusalCode: nullable(
    word(REFUSAL_CODES, "Why the order could not be filled; null unless it was rejected."),
  ),
};

/** Item of GET order-history. @rule D9.orderHistory */
export const PAST_ORDER = object("An order or leg of any status.", FIELDS);
export type PastOrder<Unsent extends Linked = never> = Wire<typeof PAST_ORDER, Unsent>;

/** Item of GET fills, and of `fills` of an order's life. @rule D9.fills */
const FILL = ORDER_EVENTS["order.filled"];
export type FillItem<Unsent extends Linked = never> = Wire<typeof FILL, Unsent>;

/** `data` of GET orders/{orderUuid}. @rule D9.orderLife */
export const ORDER_LIFE = object("An order or leg with its fills, legs and events.", {
  ...FIELDS,
  legs: list(
    string("The id of a leg."),
    "The ids of the legs that the order attached, in the order of the request.",
  ),
  fills: list(FILL, "The fills of the order, oldest first."),
  events: list(
    EVENT,
    "The events that name the order, oldest first, after the cursor `after`. Price updates of a trailing stop are excluded.",
  ),
  next: nullable(
    string("Pass it back as `after` for the next events; null when there are no more events now."),
  ),
});
export type OrderLife<Unsent extends Linked = never> = Wire<typeof ORDER_LIFE, Unsent>;

const NEXT = string("Pass it back as `after` for the next page.");

/** `data` of GET order-history. */
export const ORDER_HISTORY = object("A page of orders, sorted by the time at which they began.", {
  items: list(PAST_ORDER, "Oldest first. Legs that were attached together are always on one page."),
  next: NEXT,
});
export type OrderHistory<Unsent extends Linked = never> = Wire<typeof ORDER_HISTORY, Unsent>;

/** `data` of GET fills. */
export const FILLS = object("A page of fills.", {
  items: list(FILL, "The fills, oldest first."),
  next: NEXT,
});
export type Fills<Unsent extends Linked = never> = Wire<typeof FILLS, Unsent>;

import { REFUSAL_CODES } from "../../refusals.ts";
import {
  boolean,
  count,
  ifSent,
  list,
  nullable,
  number,
  string,
  time,
  word,
} from "../../schema.ts";
import { POSITION_TYPES } from "../../words.ts";
import { DIFFERENCE } from "../fill-difference.ts";
import { eventOf } from "./event-parts.ts";
import { ORDER_IN_EVENT } from "./order-in-event.ts";

/** Why a pending order or leg was cancelled. @rule D9.eventViews */
export const CANCEL_REASONS = [
  "owner",
  "positionClosed",
  "accountEnded",
  "phaseEnded",
  "proTransition",
  "pairBlocked",
  "switch",
  "corporateAction",
  "roundedAway",
] as const;

/** The causes of a fill. @rule D9.eventViews */
export const FILL_KINDS = [
  "market",
  "limit",
  "stopLoss",
  "takeProfit",
  "closePair",
  "flatten",
  "elimination",
  "phaseEnd",
  "cashInLieu",
  "switch",
] as const;

/** The effects of a fill on the position. */
const FILL_EFFECTS = ["open", "add", "reduce", "close"] as const;

const orderUuid = string("The order's id.");
const refusalCode = nullable(
  word(REFUSAL_CODES, "Why it could not be filled; null when the reason is another."),
);

/** The events of orders, in the order in which they can happen to one order. @rule D9.eventViews */
export const ORDER_EVENTS = {
  "order.resting": eventOf("order.resting", "An order is pending.", { order: ORDER_IN_EVENT }),
  "order.edited": eventOf(
    "order.edited",
    "A pending order or leg has a new content under the same id.",
    { order: ORDER_IN_EVENT },
  ),
  "order.held": eventOf(
    "order.held",
    "A quote closed the order's position and also reached the order, which stays pending until a later quote.",
    {
      orderUuid,
      bid: number("Bid of that quote."),
      ask: number("Ask of that quote."),
      quoteAtMs: time("Time of that quote."),
    },
  ),
  "order.triggered": eventOf(
    "order.triggered",
    "The price reached the stop of a STOP_LIMIT: from now on it is a LIMIT order.",
    { orderUuid },
  ),
  "order.filled": eventOf("order.filled", "An order was filled, with its effect on the account.", {
    orderUuid,
    positionUuid: string("The position that it opened or changed."),
    kind: ifSent(word(FILL_KINDS, "The cause of the fill.")),
    tradePair: string("Pair identifier, `BTCUSD`."),
    direction: ifSent(word(POSITION_TYPES, "`LONG`: a purchase. `SHORT`: a sale.")),
    effect: ifSent(word(FILL_EFFECTS, "Its effect on the position.")),
    price: ifSent(number("The price with its slippage; all accounting uses it.")),
    slippage: ifSent(number("Slippage as a share of the quote.")),
    quantity: ifSent(number("Filled quantity in the pair's lot unit.")),
    value: ifSent(number("Filled value, USD.")),
    leverage: ifSent(number("Filled value as a multiple of the balance.")),
    fee: ifSent(number("Fee of the fill, USD.")),
    realizedPnl: ifSent(
      number("PnL that it realized, before the fee, USD; 0 when it opens or adds."),
    ),
    bindingCap: nullable(string("The cap that reduced the size; null when none did.")),
    ...DIFFERENCE,
    usdRate: ifSent(number("USD for one unit of the pair's quote currency when it filled.")),
    rateAgeMs: nullable(
      count(
        "Age of that rate's quote in ms, when an exit used a rate that was stale; null otherwise.",
      ),
    ),
    tookRestAlong: ifSent(
      boolean(
        "True when the rest of the position was below the least position and was closed with it.",
      ),
    ),
    legsDropped: ifSent(
      boolean("True when the order had legs and attached none, because it reduced the position."),
    ),
  }),
  "order.cancelled": eventOf("order.cancelled", "A pending order or leg was cancelled.", {
    orderUuid,
    reason: ifSent(
      word(
        CANCEL_REASONS,
        "`owner`: on request. `positionClosed`: with its position. `accountEnded`, `phaseEnded`, `proTransition`: with the account, with a phase, before a pro account. `pairBlocked`: the pair is blocked or left the account's class, so the order could not open or add. `switch`: by the dead man's switch. `corporateAction`: placed or edited since the moment of a split that was announced late. `roundedAway`: the price reached a leg that is a share, but the rounded sum of its request's shares so far was already closed.",
      ),
    ),
    refusalCode,
  }),
  "order.rejected": eventOf(
    "order.rejected",
    "The price reached a pending order, but it could not be filled.",
    {
      orderUuid,
      refusalCode,
      bindingCap: nullable(string("The cap that left no room; null for another reason.")),
    },
  ),
  "legs.attached": eventOf("legs.attached", "Stops and targets were attached to a position.", {
    legs: list(ORDER_IN_EVENT, "In the order of the request."),
  }),
  "leg.trailed": eventOf("leg.trailed", "A trailing stop has followed a better price.", {
    orderUuid,
    bestPrice: number("The best price so far: the bid for a LONG, the ask for a SHORT."),
  }),
};

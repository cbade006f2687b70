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
  word(REFUSAL_CODES, "Why the order could not be filled; null when it ended for another reason."),
);

/** The events of orders, in the order in which they can happen to one order. @rule D9.eventViews */
export const ORDER_EVENTS = {
  "order.resting": eventOf("order.resting", "An order was accepted and is pending.", {
    order: ORDER_IN_EVENT,
  }),
  "order.edited": eventOf("order.edited", "A pending order or leg was edited. It keeps its id.", {
    order: ORDER_IN_EVENT,
  }),
  "order.held": eventOf(
    "order.held",
    "A quote closed the order's position and also reached the order. The order stays pending until a later quote.",
    {
      orderUuid,
      bid: number("Bid of that quote."),
      ask: number("Ask of that quote."),
      quoteAtMs: time("Time of that quote."),
    },
  ),
  "order.triggered": eventOf(
    "order.triggered",
    "The mid price reached the stop price of a STOP_LIMIT order, which is a LIMIT order from now on.",
    { orderUuid },
  ),
  "order.filled": eventOf("order.filled", "An order was filled, with the effect on the account.", {
    orderUuid,
    positionUuid: string("The position that the fill opened or changed."),
    kind: ifSent(
      word(
        FILL_KINDS,
        "The cause of the fill. `cashInLieu`: a fraction of a share after a split was closed. `switch`: the dead man's switch.",
      ),
    ),
    tradePair: string("Pair identifier, such as `BTCUSD`."),
    direction: ifSent(
      word(POSITION_TYPES, "Direction of the fill itself. `LONG`: a purchase. `SHORT`: a sale."),
    ),
    effect: ifSent(word(FILL_EFFECTS, "Effect of the fill on the position.")),
    price: ifSent(number("Fill price, slippage included. All figures are computed from it.")),
    slippage: ifSent(number("Slippage as a share of the quoted price: 0.0001 is 0.01 %.")),
    quantity: ifSent(number("Filled quantity in the pair's lot unit, above 0.")),
    value: ifSent(number("Filled value, USD.")),
    leverage: ifSent(number("Filled value as a multiple of the balance.")),
    fee: ifSent(number("Fee of the fill, USD.")),
    realizedPnl: ifSent(
      number(
        "PnL that the fill realized, before its fee, USD; negative for a loss. 0 when the fill opens or adds.",
      ),
    ),
    bindingCap: nullable(string("The leverage cap that reduced the fill; null when none did.")),
    ...DIFFERENCE,
    usdRate: ifSent(
      number("USD for one unit of the pair's quote currency, as used for this fill."),
    ),
    rateAgeMs: nullable(
      count(
        "Age of the quote behind `usdRate` in milliseconds, when the fill closed a position at a stale conversion rate; null otherwise.",
      ),
    ),
    tookRestAlong: ifSent(
      boolean(
        "True when the rest of the position was below the minimum position size and was closed by the same fill.",
      ),
    ),
    legsDropped: ifSent(
      boolean(
        "True when the order had legs that were not attached, because the order reduced the position.",
      ),
    ),
  }),
  "order.cancelled": eventOf(
    "order.cancelled",
    "A pending order or leg was cancelled without a fill.",
    {
      orderUuid,
      reason: ifSent(
        word(
          CANCEL_REASONS,
          "`owner`: by a request. `positionClosed`: a leg, because its position closed. `accountEnded`: the account ended. `phaseEnded`: the phase ended. `proTransition`: the account is moving to a pro account. `pairBlocked`: the pair is blocked or outside the account's asset class, so the order could not open or add. `switch`: by the dead man's switch. `corporateAction`: a split was announced after its effective time, and the order was placed or edited in between. `roundedAway`: the leg is a share of the position, and after rounding the request's earlier legs had already closed its part.",
        ),
      ),
      refusalCode,
    },
  ),
  "order.rejected": eventOf(
    "order.rejected",
    "The price reached a pending order, but it could not be filled. The order has ended.",
    {
      orderUuid,
      refusalCode,
      bindingCap: nullable(
        string("The leverage cap that allowed no fill at all; null when the cause is another."),
      ),
    },
  ),
  "legs.attached": eventOf(
    "legs.attached",
    "Stop-loss and take-profit legs were attached to a position.",
    {
      legs: list(ORDER_IN_EVENT, "The attached legs in the order of the request."),
    },
  ),
  "leg.trailed": eventOf("leg.trailed", "A trailing stop has followed the price to a better one.", {
    orderUuid,
    bestPrice: number(
      "The best price so far, which the trailing stop follows: the bid for a LONG, the ask for a SHORT.",
    ),
  }),
};

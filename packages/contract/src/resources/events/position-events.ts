import { ifSent, list, nullable, number, object, string, time, word } from "../../schema.ts";
import { POSITION_TYPES, TRADE_STATUSES } from "../../words.ts";
import { eventOf } from "./event-parts.ts";
import { ORDER_IN_EVENT } from "./order-in-event.ts";

const positionUuid = string("The position's id.");
const tradePair = string("Pair identifier, `BTCUSD`.");

/** Events of positions and days. @rule D9.eventViews */
export const POSITION_EVENTS = {
  "position.closed": eventOf(
    "position.closed",
    "A position is closed. Follows the fill that closed it.",
    {
      positionUuid,
      tradePair,
      direction: word(POSITION_TYPES, "Direction of its first fill."),
      quantity: ifSent(number("All opened quantity in the pair's lot unit.")),
      averageEntryPrice: ifSent(number("Average over its entries.")),
      averageExitPrice: ifSent(number("Average over its exits.")),
      entryValue: ifSent(number("Value of all its entries, USD.")),
      leverage: ifSent(number("`entryValue` as a multiple of the balance at its first fill.")),
      realizedPnl: ifSent(number("Before fees, USD.")),
      fees: ifSent(number("Fees of all its fills, carry included, USD.")),
      returnAtClose: ifSent(number("Multiplier on the account size: 1.0123 is +1.23 %.")),
      openTimeMs: time("Time of the first fill."),
      closeTimeMs: time("Time of the last fill."),
      stopLoss: nullable(number("Stop of its legs when it closed; null without one.")),
      takeProfit: nullable(number("Target of its legs when it closed; null without one.")),
      status: word(TRADE_STATUSES, "`LIQUIDATED`: closed by the elimination of the account."),
    },
  ),
  "day.ended": eventOf("day.ended", "A UTC day is over.", {
    midnightMs: time("00:00 UTC, when the day ended."),
    equity: number("Equity at the first prices after midnight, USD."),
    balance: number("Balance at that time, USD."),
  }),
  "carry.charged": eventOf("carry.charged", "Carry or funding was charged on open positions.", {
    charges: list(
      object("The charge of one position.", {
        positionUuid,
        value: number("Value of the position, USD."),
        fee: number("Charged amount, USD; negative when it was received."),
        rate: nullable(
          number(
            "The rate of the hour, for funding, as a share of the value: 0.0001 is 0.01 %; null for carry.",
          ),
        ),
      }),
      "One for each position.",
    ),
  }),
  "shares.split": eventOf("shares.split", "A split was carried out on what the account held.", {
    actionId: string("The id of the corporate action."),
    tradePair,
    newShares: number("Shares after the split, for `oldShares` before it."),
    oldShares: number("Shares before the split."),
    position: nullable(
      object("The position after the split; null without a position.", {
        positionUuid,
        quantity: number("In the pair's lot unit."),
        averageEntryPrice: number("Average over its entries."),
      }),
    ),
    orders: list(ORDER_IN_EVENT, "The pending orders and legs that changed, after the split."),
  }),
  "dividend.paid": eventOf("dividend.paid", "A dividend on an open position.", {
    actionId: string("The id of the corporate action."),
    tradePair,
    positionUuid,
    amount: number("For one share, in the pair's quote currency."),
    usdRate: number("USD for one unit of the quote currency."),
    paid: number("Received amount, USD; negative for a SHORT, which pays it."),
  }),
};

import { ifSent, list, nullable, number, object, string, time, word } from "../../schema.ts";
import { POSITION_TYPES, TRADE_STATUSES } from "../../words.ts";
import { eventOf } from "./event-parts.ts";
import { ORDER_IN_EVENT } from "./order-in-event.ts";

const positionUuid = string("The position's id.");
const tradePair = string("Pair identifier, such as `BTCUSD`.");

/** Events of positions and days. @rule D9.eventViews */
export const POSITION_EVENTS = {
  "position.closed": eventOf(
    "position.closed",
    "A position was closed. The fill that closed it precedes this event.",
    {
      positionUuid,
      tradePair,
      direction: word(POSITION_TYPES, "Direction of the position."),
      quantity: ifSent(
        number(
          "Total quantity of all fills that opened or added, in the pair's lot unit, without a sign.",
        ),
      ),
      averageEntryPrice: ifSent(number("Average price of all entry fills.")),
      averageExitPrice: ifSent(number("Average price of all exit fills.")),
      entryValue: ifSent(number("Value of all entry fills, USD.")),
      leverage: ifSent(number("`entryValue` as a multiple of the balance at the first fill.")),
      realizedPnl: ifSent(number("Realized PnL before fees, USD; negative for a loss.")),
      fees: ifSent(number("Fees of all fills and holding costs of the position, USD.")),
      returnAtClose: ifSent(
        number(
          "1 plus the realized PnL before fees divided by the account size: 1.0123 is +1.23 %.",
        ),
      ),
      openTimeMs: time("Time of the first fill."),
      closeTimeMs: time("Time of the last fill."),
      stopLoss: nullable(
        number("Nearest stop-loss price of the legs when the position closed; null without one."),
      ),
      takeProfit: nullable(
        number("Nearest take-profit price of the legs when the position closed; null without one."),
      ),
      status: word(
        TRADE_STATUSES,
        "`LIQUIDATED`: closed because the account was eliminated. `CLOSED`: closed for any other reason.",
      ),
    },
  ),
  "day.ended": eventOf("day.ended", "A UTC day of the account has ended.", {
    midnightMs: time("00:00 UTC, when the day ended."),
    equity: number("Equity at the first prices after midnight, USD."),
    balance: number("Balance when `equity` was measured, USD."),
  }),
  "carry.charged": eventOf(
    "carry.charged",
    "Holding costs or funding were charged on open positions.",
    {
      charges: list(
        object("The charge of one position.", {
          positionUuid,
          value: number("Value of the position from which the charge was computed, USD."),
          fee: number("Charged amount, USD. Negative when the account received it."),
          rate: nullable(
            number(
              "Funding rate of the hour as a fraction of the value: 0.0001 is 0.01 %. Null for holding costs other than funding.",
            ),
          ),
        }),
        "One charge for each position.",
      ),
    },
  ),
  "shares.split": eventOf(
    "shares.split",
    "A stock split was applied to the account's position and orders.",
    {
      actionId: string("The id of the corporate action."),
      tradePair,
      newShares: number("Number of shares after the split that replace `oldShares`."),
      oldShares: number("Number of shares before the split."),
      position: nullable(
        object("The position after the split; null without a position.", {
          positionUuid,
          quantity: number("Size of the position in the pair's lot unit, without a sign."),
          averageEntryPrice: number("Average entry price of the position."),
        }),
      ),
      orders: list(
        ORDER_IN_EVENT,
        "The pending orders and legs that the split changed, as they are after it.",
      ),
    },
  ),
  "dividend.paid": eventOf("dividend.paid", "A dividend was paid or charged on an open position.", {
    actionId: string("The id of the corporate action."),
    tradePair,
    positionUuid,
    amount: number("Dividend for one share, in the pair's quote currency."),
    usdRate: number("USD for one unit of the pair's quote currency."),
    paid: number(
      "Amount that the account received, USD. Negative for a SHORT, which pays the dividend.",
    ),
  }),
};

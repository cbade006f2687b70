import { boolean, list, nullable, number, object, string, type Wire, word } from "../schema.ts";
import { ENDINGS, LIMIT_CHECKS, LOSS_RULES, ORDER_TYPES } from "../words.ts";
import { DIFFERENCE } from "./fill-difference.ts";

const AFTER = object("A loss limit after the order.", {
  rule: word(LOSS_RULES, "The loss limit, as `rule` of `drawdownRules.limits`."),
  limit: nullable(
    word(
      ["dailyLoss", "maxLoss"],
      "The name of the limit in `drawdownRules`; null for a limit that is only in `limits`.",
    ),
  ),
  checked: word(LIMIT_CHECKS, "When the limit is checked, as `checked` of `drawdownRules.limits`."),
  remaining: number(
    "Allowed loss that would remain after the order, measured at live equity, USD, at least 0.",
  ),
  remainingIfStopped: nullable(
    number(
      "`remaining` after the order's nearest stop has also triggered, USD, at least 0; null without a stop.",
    ),
  ),
  breachedIfStopped: nullable(
    boolean(
      "Whether the nearest stop would breach this limit; null without a stop. Always false for `end_of_day`, which is checked only at 00:00 UTC. `remainingIfStopped` shows how close that check would be.",
    ),
  ),
});

/**
 * `data` of POST preview: the effect of an order if it filled at the present quotes. POST preview takes the body of
 * POST orders, needs `trade:read` and places no order. Additive, outside the six endpoints of the specification.
 */
export const PREVIEW = object("The effect that an order would have. The order is not placed.", {
  tradePair: string("Pair identifier, such as `BTCUSD`."),
  orderType: word(ORDER_TYPES, "Direction; for BRACKET that of the position."),
  quantity: number(
    "Quantity that would fill, after leverage caps and rounding, in the pair's lot unit; 0 when nothing would fill.",
  ),
  value: number("`quantity` as a value in USD."),
  leverage: number("`value` as a multiple of the balance."),
  bindingCap: nullable(
    string("The leverage cap that makes the fill smaller than requested; null when none does."),
  ),
  ...DIFFERENCE,
  price: number(
    "Fill price, slippage included. For an order that would stay pending: its limit price. For BRACKET: the mark price of the position.",
  ),
  slippage: number("Slippage of the fill, as a share of the quoted price."),
  fee: number("Fee of the fill, USD."),
  accountLeverageAfter: number(
    "Value of all open positions after the order, as a multiple of the balance.",
  ),
  buyingPowerAfter: number(
    "Position value that could still be opened after the order, USD, at least 0.",
  ),
  limitsAfter: list(
    AFTER,
    "Every loss limit after the order, in the sequence of `drawdownRules.limits`.",
  ),
  lossIfStopped: nullable(
    number(
      "Loss of the whole order at the price of its nearest stop, USD, with the fee of the order and the fee of what the stop closes. A positive number is a loss. Null without a stop.",
    ),
  ),
  ended: nullable(
    word(
      ENDINGS,
      "The value that `ended` of POST orders would have; null when the order would neither eliminate the account nor pass its phase.",
    ),
  ),
});
export type Preview = Wire<typeof PREVIEW>;

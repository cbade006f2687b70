import { boolean, list, nullable, number, object, string, type Wire, word } from "../schema.ts";
import { ENDINGS, LIMIT_CHECKS, LOSS_RULES, ORDER_TYPES } from "../words.ts";
import { DIFFERENCE } from "./fill-difference.ts";

const AFTER = object("A limit after the order.", {
  rule: word(LOSS_RULES, "The `rule` of the limit, as in `drawdownRules.limits`."),
  limit: nullable(
    word(
      ["dailyLoss", "maxLoss"],
      "Its name in `drawdownRules`; null for a limit that only `limits` has.",
    ),
  ),
  checked: word(LIMIT_CHECKS, "When it is judged, as in `drawdownRules.limits`."),
  remaining: number(
    "The rest of the allowed loss after the order if the limit were judged at that moment, USD, at least 0.",
  ),
  remainingIfStopped: nullable(
    number("The same after the nearest stop of the order has triggered; null without a stop."),
  ),
  breachedIfStopped: nullable(
    boolean(
      "Whether that stop would end the account; null without one. False for `end_of_day`, which is judged with the equity of 00:00 UTC alone: there `remainingIfStopped` says how near the day's end would be.",
    ),
  ),
});

/**
 * `data` of POST preview: the effect of an order if it filled at the present quotes. POST preview takes the body of
 * POST orders, needs `trade:read` and places no order. Additive, outside the six endpoints of the specification.
 */
export const PREVIEW = object("The effect of an order that is not placed.", {
  tradePair: string("Pair identifier, `BTCUSD`."),
  orderType: word(ORDER_TYPES, "Direction."),
  quantity: number("After cap and grid, in the pair's lot unit."),
  value: number("The same in USD."),
  leverage: number("The same as a multiple of the balance."),
  bindingCap: nullable(
    string("The cap that makes the order smaller than requested; null when none does."),
  ),
  ...DIFFERENCE,
  price: number("The fill price, slippage included; for an order that would rest its limit price."),
  slippage: number("The slippage of the fill, as a share of the price."),
  fee: number("The fee of the fill, USD."),
  accountLeverageAfter: number("Value of everything open after it, as a multiple of the balance."),
  buyingPowerAfter: number("Value that could still be opened after it, USD."),
  limitsAfter: list(AFTER, "Every loss limit after it, in the order of `drawdownRules.limits`."),
  lossIfStopped: nullable(
    number(
      "Loss of the whole order at its nearest stop, with its fee and the fee of what the stop closes, USD; null without a stop.",
    ),
  ),
  ended: nullable(
    word(
      ENDINGS,
      "How the order would end the account in its own moment, as `ended` of POST orders; else null.",
    ),
  ),
});
export type Preview = Wire<typeof PREVIEW>;

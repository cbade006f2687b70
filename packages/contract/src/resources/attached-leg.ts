import { nullable, number, object, string, type Wire } from "../schema.ts";

/** A leg of an order. Of its size fields, only the one that the client sent is not null. @rule D10.legIds */
export const ATTACHED_LEG = object(
  "A stop loss, take profit or trailing stop; unused fields are null.",
  {
    orderUuid: nullable(
      string(
        "The id to pass to LIMIT_CANCEL; null before the order has filled and its legs are attached.",
      ),
    ),
    stopLoss: nullable(number("Stop-loss price; null without one.")),
    takeProfit: nullable(number("Take-profit price; null without one.")),
    quantity: nullable(number("Size in the pair's lot unit; null when unused.")),
    value: nullable(number("Size in USD; null when unused.")),
    leverage: nullable(number("Size as a multiple of the balance; null when unused.")),
    bracketPct: nullable(
      number(
        "Size as a share of the position before any of its legs filled, above 0 and at most 1; null when unused.",
      ),
    ),
    trailingPercent: nullable(
      number("Trailing distance as a share of the price, so 0.02 is 2 %; null when unused."),
    ),
    trailingValue: nullable(number("Trailing distance in price units; null when unused.")),
  },
);
export type AttachedLegItem = Wire<typeof ATTACHED_LEG>;

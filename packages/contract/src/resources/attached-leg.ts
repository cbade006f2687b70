import { nullable, number, object, string, type Wire } from "../schema.ts";

/** A leg of an order. Of its size fields, only the one that the client sent is not null. @rule D10.legIds */
export const ATTACHED_LEG = object("A stop, target or trailing stop; unused fields are null.", {
  orderUuid: nullable(
    string("The id to pass to LIMIT_CANCEL; null until the order has filled and attached the leg."),
  ),
  stopLoss: nullable(number("Price of the stop.")),
  takeProfit: nullable(number("Price of the target.")),
  quantity: nullable(number("Size in the pair's lot unit.")),
  value: nullable(number("Size in USD.")),
  leverage: nullable(number("Size as a multiple of the balance.")),
  bracketPct: nullable(number("Share of the position before any of its legs filled, 0 < x ≤ 1.")),
  trailingPercent: nullable(number("Trailing distance as a share of the price.")),
  trailingValue: nullable(number("Trailing distance in price units.")),
});
export type AttachedLegItem = Wire<typeof ATTACHED_LEG>;

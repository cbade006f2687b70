import {
  boolean,
  list,
  nullable,
  number,
  object,
  string,
  time,
  type Wire,
  word,
} from "../schema.ts";
import { POSITION_TYPES, RESTING_EXECUTION_TYPES, STOP_CONDITIONS } from "../words.ts";
import { ATTACHED_LEG } from "./attached-leg.ts";

/** Item of GET orders. It has only the size that was sent. @rule S2.3 */
export const PENDING_ORDER = object("A pending order, or a leg of a position.", {
  orderUuid: string("The id to pass to LIMIT_CANCEL."),
  tradePair: string("Pair identifier, `BTCUSD`."),
  tradePairDisplay: string("For display, `BTC/USD`."),
  orderType: word(POSITION_TYPES, "Direction; a leg has its position's direction."),
  executionType: word(RESTING_EXECUTION_TYPES, "`BRACKET` for a leg."),
  processedMs: time("When it was accepted."),
  limitPrice: nullable(number("Limit price; null on a leg.")),
  stopPrice: nullable(number("Stop price of a STOP_LIMIT that has not triggered; null otherwise.")),
  stopCondition: nullable(
    word(STOP_CONDITIONS, "Side of `stopPrice` that triggers it; null without one."),
  ),
  leverage: nullable(number("Size as a multiple of the balance; null if sized otherwise.")),
  value: nullable(number("Size in USD; null if sized otherwise.")),
  quantity: nullable(number("Size in the pair's lot unit; null if sized otherwise.")),
  stopLoss: nullable(number("Price of the stop; null without one.")),
  takeProfit: nullable(number("Price of the target; null without one.")),
  bracketPct: nullable(
    number("Share of the position before any of its legs filled, 0 < x ≤ 1; null when unused."),
  ),
  trailingPercent: nullable(number("Trailing distance as a share of the price; null when unused.")),
  trailingValue: nullable(number("Trailing distance in price units; null when unused.")),
  positionUuid: nullable(string("The position of a leg; null on an entry order.")),
  reduceOnly: boolean("True if it can only reduce a position; always true for a leg."),
  bracketOrders: nullable(
    list(ATTACHED_LEG, "The legs that the order attaches when it fills; null on a leg."),
  ),
});
export type PendingOrder = Wire<typeof PENDING_ORDER>;

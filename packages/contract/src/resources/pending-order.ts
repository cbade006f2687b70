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

/** Item of GET orders. Of the three sizes only the one that was sent is known. @rule S2.3 */
export const PENDING_ORDER = object("A resting order, or a leg that waits on a position.", {
  orderUuid: string("The id to pass to LIMIT_CANCEL."),
  tradePair: string("Pair identifier, `BTCUSD`."),
  tradePairDisplay: string("For display, `BTC/USD`."),
  orderType: word(POSITION_TYPES, "Direction; of a leg, that of its position."),
  executionType: word(RESTING_EXECUTION_TYPES, "`BRACKET` for a leg."),
  processedMs: time("When it was accepted."),
  limitPrice: nullable(number("Null on a leg.")),
  stopPrice: nullable(number("Only on a STOP_LIMIT whose stop has not been passed.")),
  stopCondition: nullable(word(STOP_CONDITIONS, "Which side of `stopPrice` triggers it.")),
  leverage: nullable(number("Size as a multiple of the balance; null when not sent so.")),
  value: nullable(number("Size in USD; null when not sent so.")),
  quantity: nullable(number("Size in the pair's lot unit; null when not sent so.")),
  stopLoss: nullable(number("Null without one.")),
  takeProfit: nullable(number("Null without one.")),
  bracketPct: nullable(
    number("Share of the position as if no sister leg had filled, 0 < x ≤ 1; null when unused."),
  ),
  trailingPercent: nullable(number("Trailing distance as a share of the price; null when unused.")),
  trailingValue: nullable(number("Trailing distance in price units; null when unused.")),
  positionUuid: nullable(string("The position that a leg waits on; null on an entry order.")),
  reduceOnly: boolean("True: it can only reduce a position; always so of a leg."),
  bracketOrders: nullable(
    list(ATTACHED_LEG, "The legs that the order attaches when it fills; null on a leg."),
  ),
});
export type PendingOrder = Wire<typeof PENDING_ORDER>;

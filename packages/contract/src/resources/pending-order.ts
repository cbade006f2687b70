import { nullable, number, object, string, time, type Wire, word } from "../schema.ts";
import { POSITION_TYPES, RESTING_EXECUTION_TYPES } from "../words.ts";
import {
  BRACKET_PCT,
  PENDING_PRICES_AND_SIZE,
  POSITION_AND_LEGS,
  TRAILED,
} from "./pending-fields.ts";

/** Item of GET orders. Of its size fields, only the one that the client sent is not null. @rule S2.3 */
export const PENDING_ORDER = object("A pending order, or a leg of a position.", {
  orderUuid: string("The id to pass to LIMIT_CANCEL."),
  tradePair: string("Pair identifier, such as `BTCUSD`."),
  tradePairDisplay: string("Pair for display, such as `BTC/USD`."),
  orderType: word(POSITION_TYPES, "Direction; that of the position for a leg."),
  executionType: word(RESTING_EXECUTION_TYPES, "The kind of order; `BRACKET` for a leg."),
  processedMs: time("When the order was accepted; an edit does not change it."),
  ...PENDING_PRICES_AND_SIZE,
  stopLoss: nullable(number("Stop-loss price; of several legs the nearest one; null without one.")),
  takeProfit: nullable(
    number("Take-profit price; of several legs the nearest one; null without one."),
  ),
  bracketPct: BRACKET_PCT,
  trailingPercent: nullable(
    number("Trailing distance as a share of the price, so 0.02 is 2 %; null when unused."),
  ),
  trailingValue: nullable(number("Trailing distance in price units; null when unused.")),
  ...TRAILED,
  ...POSITION_AND_LEGS,
});
export type PendingOrder = Wire<typeof PENDING_ORDER>;

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
  tradePair: string("Pair identifier, `BTCUSD`."),
  tradePairDisplay: string("For display, `BTC/USD`."),
  orderType: word(POSITION_TYPES, "Direction; a leg has its position's direction."),
  executionType: word(RESTING_EXECUTION_TYPES, "`BRACKET` for a leg."),
  processedMs: time("When it was accepted; an edit does not change it."),
  ...PENDING_PRICES_AND_SIZE,
  stopLoss: nullable(number("Price of the stop, the nearest of its legs; null without one.")),
  takeProfit: nullable(number("Price of the target, the nearest of its legs; null without one.")),
  bracketPct: BRACKET_PCT,
  trailingPercent: nullable(number("Trailing distance as a share of the price; null when unused.")),
  trailingValue: nullable(number("Trailing distance in price units; null when unused.")),
  ...TRAILED,
  ...POSITION_AND_LEGS,
});
export type PendingOrder = Wire<typeof PENDING_ORDER>;

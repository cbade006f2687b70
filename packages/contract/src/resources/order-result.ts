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
import { ORDER_STATUSES, ORDER_TYPES, RESTING_EXECUTION_TYPES, STOP_CONDITIONS } from "../words.ts";

const ATTACHED_LEG = object("A leg that the network attached; unused fields are null.", {
  orderUuid: string("The id to pass to LIMIT_CANCEL."),
  stopLoss: nullable(number("Price.")),
  takeProfit: nullable(number("Price.")),
  quantity: nullable(number("Size in the pair's lot unit.")),
  value: nullable(number("Size in USD.")),
  leverage: nullable(number("Size as a multiple of the balance.")),
  bracketPct: nullable(number("Share of the open position, 0 < x ≤ 1.")),
  trailingPercent: nullable(number("Trailing distance as a share of the price.")),
  trailingValue: nullable(number("Trailing distance in price units.")),
});
export type AttachedLegItem = Wire<typeof ATTACHED_LEG>;

/** Sizes are magnitudes after cap and grid; of a resting order only the one that was sent. */
const ORDER_RECORD = object("What the order has become; null for LIMIT_CANCEL and FLAT_ALL.", {
  orderUuid: string("The id to pass to LIMIT_CANCEL."),
  tradePair: string("Pair identifier, `BTCUSD`."),
  tradePairDisplay: string("For display, `BTC/USD`."),
  orderType: word(ORDER_TYPES, "Direction."),
  executionType: word(["MARKET", ...RESTING_EXECUTION_TYPES], "What kind of order it is."),
  filled: boolean("False while it rests."),
  quantity: nullable(number("Filled size in the pair's lot unit; resting: as sent or null.")),
  value: nullable(number("Filled size in USD; resting: as sent or null.")),
  leverage: nullable(number("Filled size as a multiple of the balance; resting: as sent or null.")),
  price: nullable(number("Fill price that all accounting uses, slippage included; resting: null.")),
  slippage: nullable(number("What the slippage model added, as a share; resting: null.")),
  fee: nullable(number("Of this fill, USD; resting: null.")),
  realizedPnl: nullable(number("Of what this fill closed, before fees, USD; resting: null.")),
  processedMs: time("When the network accepted it."),
  limitPrice: nullable(number("Null when unused.")),
  stopPrice: nullable(number("Null when unused.")),
  stopCondition: nullable(word(STOP_CONDITIONS, "Null when unused.")),
  stopLoss: nullable(number("Null when unused.")),
  takeProfit: nullable(number("Null when unused.")),
  bracketPct: nullable(number("Null when unused.")),
  bindingCap: nullable(string("The cap that made the fill smaller; null when none did.")),
  bracketOrders: nullable(list(ATTACHED_LEG, "In the request's order; null without legs.")),
});
export type OrderRecordItem = Wire<typeof ORDER_RECORD>;

/** `data` of POST orders. @rule S2.6 */
export const ORDER_RESULT = object("What became of the request.", {
  success: boolean("True: the request was accepted."),
  status: word(ORDER_STATUSES, "What became of it, in one word."),
  order_uuid: string(
    "The order's id; for BRACKET its legs' ids and for LIMIT_CANCEL the cancelled ones, comma-separated.",
  ),
  message: string("For people."),
  error_message: string("Empty on success."),
  processing_time: number("Milliseconds between arrival at the network and its answer."),
  order_json: string("The network's record as raw JSON text; prefer `order`."),
  order: nullable(ORDER_RECORD),
});
export type OrderResult = Wire<typeof ORDER_RESULT>;

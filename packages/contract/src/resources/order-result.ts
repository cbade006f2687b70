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
import {
  ORDER_STATUSES,
  ORDER_TYPES,
  RESTING_EXECUTION_TYPES,
  STAY_REASONS,
  STOP_CONDITIONS,
} from "../words.ts";
import { ATTACHED_LEG } from "./attached-leg.ts";

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
  reduceOnly: boolean("True: it can only reduce a position; always so of a leg."),
  bracketOrders: nullable(list(ATTACHED_LEG, "In the request's order; null without legs.")),
});
export type OrderRecordItem = Wire<typeof ORDER_RECORD>;

const CLOSED = object("A position that was closed.", {
  tradePair: string("Pair identifier, `BTCUSD`."),
});

const STAYED = object("A position that stays open.", {
  tradePair: string("Pair identifier, `BTCUSD`."),
  reason: word(STAY_REASONS, "Why it could not be closed now."),
});

/** `data` of POST orders. @rule S2.6 D10.processingTime */
export const ORDER_RESULT = object("What became of the request.", {
  success: boolean(
    "True: the request was carried out. False: FLAT_ALL closed some positions, and some stay open.",
  ),
  status: word(ORDER_STATUSES, "What became of it, in one word."),
  order_uuid: string(
    "The order's id; for BRACKET that of its first leg. For LIMIT_CANCEL and FLAT_ALL the ids that were cancelled or closed, comma-separated.",
  ),
  message: string("For people."),
  error_message: string("Names what stays open; empty on success."),
  processing_time: number(
    "Seconds between the order's arrival at the network and the network's answer, such as 0.004.",
  ),
  order_json: string("The network's record as raw JSON text; prefer `order`."),
  order: nullable(ORDER_RECORD),
  closed: nullable(list(CLOSED, "What FLAT_ALL closed; null for every other order.")),
  stayed: nullable(list(STAYED, "What FLAT_ALL could not close; null for every other order.")),
  notFound: nullable(
    list(
      string("An id that is no longer open."),
      "Ids of LIMIT_CANCEL or FLAT_ALL that were passed over; null for every other order.",
    ),
  ),
});
export type OrderResult = Wire<typeof ORDER_RESULT>;

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
  ENDINGS,
  ORDER_STATUSES,
  ORDER_TYPES,
  RESTING_EXECUTION_TYPES,
  STAY_REASONS,
  STOP_CONDITIONS,
} from "../words.ts";
import { ATTACHED_LEG } from "./attached-leg.ts";
import { DIFFERENCE } from "./fill-difference.ts";

/**
 * The sizes are never negative. A filled order has its size after cap and grid; a pending order has only the size that
 * was sent.
 */
const ORDER_RECORD = object("The order after the request; null for LIMIT_CANCEL and FLAT_ALL.", {
  orderUuid: string("The id to pass to LIMIT_CANCEL."),
  tradePair: string("Pair identifier, `BTCUSD`."),
  tradePairDisplay: string("For display, `BTC/USD`."),
  orderType: word(ORDER_TYPES, "Direction."),
  executionType: word(["MARKET", ...RESTING_EXECUTION_TYPES], "The kind of order."),
  filled: boolean("False while it is pending."),
  quantity: nullable(number("Filled size in the pair's lot unit; while pending, as sent or null.")),
  value: nullable(number("Filled size in USD; while pending, as sent or null.")),
  leverage: nullable(
    number("Filled size as a multiple of the balance; while pending, as sent or null."),
  ),
  price: nullable(
    number("Fill price that all accounting uses, slippage included; null while pending."),
  ),
  slippage: nullable(number("Slippage of the fill, as a share; null while pending.")),
  fee: nullable(number("Fee of this fill, USD; null while pending.")),
  realizedPnl: nullable(
    number("PnL that this fill realized, before fees, USD; null while pending."),
  ),
  processedMs: time("When the network accepted it; an edit does not change it."),
  limitPrice: nullable(number("Limit price; null when unused.")),
  stopPrice: nullable(number("Mid price that triggers a STOP_LIMIT; null when unused.")),
  stopCondition: nullable(
    word(STOP_CONDITIONS, "Side of `stopPrice` that triggers it; null when unused."),
  ),
  stopLoss: nullable(number("The nearest stop of its legs; null without one.")),
  takeProfit: nullable(number("The nearest target of its legs; null without one.")),
  bracketPct: nullable(
    number("Share of the position that a leg closes, 0 < x ≤ 1; null when unused."),
  ),
  bindingCap: nullable(string("The cap that reduced the fill; null when no cap did.")),
  ...DIFFERENCE,
  reduceOnly: boolean("True if it can only reduce a position; always true for a leg."),
  bracketOrders: nullable(
    list(ATTACHED_LEG, "Its legs, in the request's order; null without legs."),
  ),
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
export const ORDER_RESULT = object("The outcome of the request.", {
  success: boolean(
    "True: the request was carried out. False: FLAT_ALL closed some positions, and some stay open.",
  ),
  status: word(ORDER_STATUSES, "The outcome in one word."),
  order_uuid: string(
    "The order's id; for BRACKET that of its first leg. For LIMIT_CANCEL and FLAT_ALL the ids that were cancelled or closed, comma-separated.",
  ),
  message: string("A text for people."),
  error_message: string("The positions that stay open; empty on success."),
  processing_time: number(
    "Seconds between the order's arrival at the network and the network's answer, such as 0.004.",
  ),
  order_json: string("The network's record as raw JSON text; prefer `order`."),
  order: nullable(ORDER_RECORD),
  closed: nullable(list(CLOSED, "Positions that FLAT_ALL closed; null for every other order.")),
  stayed: nullable(
    list(STAYED, "Positions that FLAT_ALL could not close; null for every other order."),
  ),
  ended: nullable(
    word(
      ENDINGS,
      "How the account ended in the order's own moment: `eliminated`, or `passed` when its step ended and everything was closed; else null.",
    ),
  ),
  notFound: nullable(
    list(
      string("An id that is no longer open."),
      "Ids of LIMIT_CANCEL or FLAT_ALL that were not open and were ignored; null for every other order.",
    ),
  ),
});
export type OrderResult = Wire<typeof ORDER_RESULT>;

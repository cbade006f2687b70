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
  tradePair: string("Pair identifier, such as `BTCUSD`."),
  tradePairDisplay: string("Pair for display, such as `BTC/USD`."),
  orderType: word(ORDER_TYPES, "Direction."),
  executionType: word(["MARKET", ...RESTING_EXECUTION_TYPES], "The kind of order."),
  filled: boolean("True when the order has filled; false while it is pending."),
  quantity: nullable(
    number(
      "Filled size in the pair's lot unit. While pending: the size as sent, or null when it was sent in another unit.",
    ),
  ),
  value: nullable(
    number(
      "Filled size in USD. While pending: the size as sent, or null when it was sent in another unit.",
    ),
  ),
  leverage: nullable(
    number(
      "Filled size as a multiple of the balance. While pending: the size as sent, or null when it was sent in another unit.",
    ),
  ),
  price: nullable(
    number(
      "Fill price, slippage included, from which all figures are computed; null while pending.",
    ),
  ),
  slippage: nullable(
    number("Slippage of the fill as a share of the quoted price; null while pending."),
  ),
  fee: nullable(number("Fee of the fill, USD; null while pending.")),
  realizedPnl: nullable(
    number("PnL that the fill realized, before fees, USD; null while pending."),
  ),
  processedMs: time("When the network accepted the order; an edit does not change it."),
  limitPrice: nullable(number("Limit price; null when unused.")),
  stopPrice: nullable(
    number("Mid price at which a STOP_LIMIT becomes a limit order; null when unused."),
  ),
  stopCondition: nullable(
    word(
      STOP_CONDITIONS,
      "Side of `stopPrice` on which the mid price triggers the order; null when unused.",
    ),
  ),
  stopLoss: nullable(number("Stop-loss price; of several legs the nearest one; null without one.")),
  takeProfit: nullable(
    number("Take-profit price; of several legs the nearest one; null without one."),
  ),
  bracketPct: nullable(
    number("Share of the position that a leg closes, above 0 and at most 1; null when unused."),
  ),
  bindingCap: nullable(
    string(
      "The leverage cap that reduced the fill, such as `per pair cap 1.5x`; null when no cap did.",
    ),
  ),
  ...DIFFERENCE,
  reduceOnly: boolean("True if the order can only reduce a position; always true for a leg."),
  bracketOrders: nullable(
    list(ATTACHED_LEG, "The legs of the order, in the order of the request; null without legs."),
  ),
});
export type OrderRecordItem = Wire<typeof ORDER_RECORD>;

const CLOSED = object("A position that was closed.", {
  tradePair: string("Pair identifier, such as `BTCUSD`."),
});

const STAYED = object("A position that stays open.", {
  tradePair: string("Pair identifier, such as `BTCUSD`."),
  reason: word(STAY_REASONS, "Why the position could not be closed now."),
});

/** `data` of POST orders. @rule S2.6 D10.processingTime */
export const ORDER_RESULT = object("The outcome of the request.", {
  success: boolean(
    "True: the request was carried out. False: FLAT_ALL closed some of the positions, and others stay open.",
  ),
  status: word(ORDER_STATUSES, "The outcome in one word."),
  order_uuid: string(
    "The id of the order; for BRACKET the id of its first leg. For LIMIT_CANCEL and FLAT_ALL: the ids of the orders or positions that were cancelled or closed, comma-separated.",
  ),
  message: string("The outcome as a text for people."),
  error_message: string(
    "A sentence for each position that FLAT_ALL could not close; empty when `success` is true.",
  ),
  processing_time: number(
    "Time from the arrival of the order at the network to the network's answer, in seconds, such as 0.004.",
  ),
  order_json: string("The network's order record as raw JSON text. Use `order` instead."),
  order: nullable(ORDER_RECORD),
  closed: nullable(list(CLOSED, "The positions that FLAT_ALL closed; null for every other order.")),
  stayed: nullable(
    list(STAYED, "The positions that FLAT_ALL could not close; null for every other order."),
  ),
  ended: nullable(
    word(
      ENDINGS,
      "The effect of the decided order on the account. `eliminated`: it was eliminated. `passed`: it passed its phase, and all positions were closed. Null when neither happened.",
    ),
  ),
  notFound: nullable(
    list(
      string("The id of an order or position that is not open."),
      "Ids of LIMIT_CANCEL or FLAT_ALL that named nothing open and were ignored; null for every other order.",
    ),
  ),
});
export type OrderResult = Wire<typeof ORDER_RESULT>;

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
} from "../../schema.ts";
import { POSITION_TYPES, RESTING_EXECUTION_TYPES, STOP_CONDITIONS } from "../../words.ts";
import { ATTACHED_LEG } from "../attached-leg.ts";

/** A pending order or leg in an event. It has only the size that was sent. @rule D9.eventViews */
export const EVENT_ORDER = object("A pending order, or a leg of a position, after the event.", {
  orderUuid: string("The order's id."),
  tradePair: string("Pair identifier, `BTCUSD`."),
  orderType: word(POSITION_TYPES, "Direction; a leg has its position's direction."),
  executionType: word(RESTING_EXECUTION_TYPES, "`BRACKET` for a leg."),
  placedMs: time("When it was accepted."),
  limitPrice: nullable(number("Limit price; null on a leg.")),
  stopPrice: nullable(number("Stop price of a STOP_LIMIT that has not triggered; null otherwise.")),
  stopCondition: nullable(
    word(STOP_CONDITIONS, "Side of `stopPrice` that triggers it; null without one."),
  ),
  leverage: nullable(number("Size as a multiple of the balance; null if sized otherwise.")),
  value: nullable(number("Size in USD; null if sized otherwise.")),
  quantity: nullable(number("Size in the pair's lot unit; null if sized otherwise.")),
  bracketPct: nullable(
    number("Share of the position before any of its legs filled, 0 < x ≤ 1; null when unused."),
  ),
  stopLoss: nullable(number("Stop of a leg; null without one, and on an entry order.")),
  takeProfit: nullable(number("Target of a leg; null without one, and on an entry order.")),
  trailingPercent: nullable(number("Trailing distance of a leg as a share of the price.")),
  trailingValue: nullable(number("Trailing distance of a leg in price units.")),
  positionUuid: nullable(string("The position of a leg; null on an entry order.")),
  reduceOnly: boolean("True if it can only reduce a position; always true for a leg."),
  bracketOrders: nullable(
    list(ATTACHED_LEG, "The legs that the order attaches when it fills; null on a leg."),
  ),
});
export type EventOrder = Wire<typeof EVENT_ORDER>;

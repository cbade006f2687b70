import { nullable, number, object, string, time, type Wire, word } from "../../schema.ts";
import { POSITION_TYPES, RESTING_EXECUTION_TYPES } from "../../words.ts";
import { BRACKET_PCT, PENDING_PRICES_AND_SIZE, POSITION_AND_LEGS } from "../pending-fields.ts";

/** A pending order or leg in an event. It has only the size that was sent. @rule D9.eventViews */
export const EVENT_ORDER = object("A pending order, or a leg of a position, after the event.", {
  orderUuid: string("The order's id."),
  tradePair: string("Pair identifier, `BTCUSD`."),
  orderType: word(POSITION_TYPES, "Direction; a leg has its position's direction."),
  executionType: word(RESTING_EXECUTION_TYPES, "`BRACKET` for a leg."),
  placedMs: time("When it was accepted."),
  ...PENDING_PRICES_AND_SIZE,
  bracketPct: BRACKET_PCT,
  stopLoss: nullable(number("Stop of a leg; null without one, and on an entry order.")),
  takeProfit: nullable(number("Target of a leg; null without one, and on an entry order.")),
  trailingPercent: nullable(number("Trailing distance of a leg as a share of the price.")),
  trailingValue: nullable(number("Trailing distance of a leg in price units.")),
  ...POSITION_AND_LEGS,
});
export type EventOrder = Wire<typeof EVENT_ORDER>;

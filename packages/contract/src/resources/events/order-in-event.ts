import { nullable, number, object, string, time, type Wire, word } from "../../schema.ts";
import { POSITION_TYPES, RESTING_EXECUTION_TYPES } from "../../words.ts";
import { BRACKET_PCT, PENDING_PRICES_AND_SIZE, POSITION_AND_LEGS } from "../pending-fields.ts";

/**
 * A pending order or leg in an event. Of its size fields, only the one that the client sent is not null.
 * @rule D9.eventViews
 */
export const ORDER_IN_EVENT = object(
  "A pending order, or a leg of a position, as it is after the event.",
  {
    orderUuid: string("The order's id."),
    tradePair: string("Pair identifier, such as `BTCUSD`."),
    orderType: word(POSITION_TYPES, "Direction; that of the position for a leg."),
    executionType: word(RESTING_EXECUTION_TYPES, "The kind of order; `BRACKET` for a leg."),
    placedMs: time("When the order was accepted."),
    ...PENDING_PRICES_AND_SIZE,
    bracketPct: BRACKET_PCT,
    stopLoss: nullable(
      number("Stop-loss price; of several legs the nearest one; null without one."),
    ),
    takeProfit: nullable(
      number("Take-profit price; of several legs the nearest one; null without one."),
    ),
    trailingPercent: nullable(
      number("Trailing distance as a share of the price, so 0.02 is 2 %; null when unused."),
    ),
    trailingValue: nullable(number("Trailing distance in price units; null when unused.")),
    ...POSITION_AND_LEGS,
  },
);
export type EventOrder = Wire<typeof ORDER_IN_EVENT>;

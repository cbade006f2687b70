import {
  boolean,
  ifSent,
  type Linked,
  nullable,
  number,
  object,
  string,
  time,
  type Wire,
  word,
} from "../schema.ts";
import { POSITION_TYPES } from "../words.ts";

/**
 * Item of GET positions. When an open pair has no price at all, GET positions answers 503.
 * @rule S2.2 D13.stalePosition
 */
export const POSITION = object("An open position.", {
  positionUuid: string("Identifies the position; its trade has the same id once it is closed."),
  tradePair: string("Pair identifier, `BTCUSD`."),
  tradePairDisplay: string("For display, `BTC/USD`."),
  positionType: word(POSITION_TYPES, "Direction."),
  netLeverage: ifSent(number("Signed value at the mark as a multiple of the balance.")),
  netQuantity: nullable(
    number("Size in the pair's lot unit, negative for SHORT; null when unknown."),
  ),
  averageEntryPrice: ifSent(
    number(
      "Average entry price of what is open: an addition averages by quantity, and a reduction does not change it.",
    ),
  ),
  currentReturn: ifSent(number("Multiplier on the account size: 1.0123 is +1.23 %.")),
  openMs: time("When it was opened."),
  unrealizedPnl: ifSent(number("Unrealized PnL at the mark, USD.")),
  realizedPnl: ifSent(number("PnL of its reductions so far, before fees, USD.")),
  netValue: ifSent(number("Signed value at the mark, USD.")),
  cumulativeEntryValue: ifSent(number("Value of all fills in its direction, USD.")),
  stopLoss: nullable(number("Stop of its nearest leg; null without a stop.")),
  takeProfit: nullable(number("Target of its nearest leg; null without a target.")),
  // Only this position's price moves; all other prices stay the same. @rule D12.breachAlone
  breachPriceAlone: nullable(
    number(
      "Additive. The price of this position at which the account's equity is at its highest `live` floor, if all other prices stay the same. Beyond it the account ends: a LONG below it, at the bid, and a SHORT above it, at the ask. Later fees and carry are not included. Null when no price does that.",
    ),
  ),
  isStale: boolean(
    "Additive. True when the price behind its figures is the last known one, too old to fill an order; of a pair that the service no longer knows, the entry price.",
  ),
});
export type PositionItem<Unsent extends Linked = never> = Wire<typeof POSITION, Unsent>;

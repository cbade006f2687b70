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
 * Item of GET positions. While an open position has no price at all, or no conversion rate, GET positions answers 503.
 * @rule S2.2 D13.stalePosition
 */
export const POSITION = object("An open position.", {
  positionUuid: string("The id of the position; its closed trade has this id too."),
  tradePair: string("Pair identifier, such as `BTCUSD`."),
  tradePairDisplay: string("Pair for display, such as `BTC/USD`."),
  positionType: word(POSITION_TYPES, "Direction."),
  netLeverage: ifSent(
    number("Position value at the mark price as a multiple of the balance; negative for SHORT."),
  ),
  netQuantity: nullable(
    number("Position size in the pair's lot unit, negative for SHORT; null when unknown."),
  ),
  averageEntryPrice: ifSent(
    number(
      "Average entry price of the open quantity. An addition changes it by quantity; a reduction does not change it.",
    ),
  ),
  currentReturn: ifSent(
    number(
      "1 plus the realized and unrealized PnL of the position before fees, divided by the account size: 1.0123 is +1.23 %.",
    ),
  ),
  openMs: time("When the position was opened."),
  unrealizedPnl: ifSent(number("Unrealized PnL at the mark price, USD; negative for a loss.")),
  realizedPnl: ifSent(
    number(
      "PnL that reductions of the position have realized, before fees, USD; negative for a loss.",
    ),
  ),
  netValue: ifSent(number("Position value at the mark price, USD; negative for SHORT.")),
  cumulativeEntryValue: ifSent(
    number("Value of all fills that opened or added to the position, USD."),
  ),
  stopLoss: nullable(number("Stop-loss price; of several legs the nearest one; null without one.")),
  takeProfit: nullable(
    number("Take-profit price; of several legs the nearest one; null without one."),
  ),
  // Only this position's price moves; all other prices stay the same. @rule D12.breachAlone
  breachPriceAlone: nullable(
    number(
      "The mark price of this position at which equity equals the highest floor of a `live` limit, if all other prices stay unchanged. The account ends at a bid below it for a LONG, and at an ask above it for a SHORT. Future fees and holding costs are not included. Null when no price ends the account.",
    ),
  ),
  isStale: boolean(
    "True when the figures use a price that cannot fill an order now. It is the last known price, or the entry price for a pair that the service no longer knows.",
  ),
});
export type PositionItem<Unsent extends Linked = never> = Wire<typeof POSITION, Unsent>;

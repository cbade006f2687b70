import { ifSent, nullable, number, object, string, time, type Wire, word } from "../schema.ts";
import { POSITION_TYPES } from "../words.ts";

/** Item of GET positions. Fields that need a price are null before the pair's first quote. @rule S2.2 */
export const POSITION = object("An open position.", {
  positionUuid: string("Identifies the position; its trade has the same id once it is closed."),
  tradePair: string("Pair identifier, `BTCUSD`."),
  tradePairDisplay: string("For display, `BTC/USD`."),
  positionType: word(POSITION_TYPES, "Direction."),
  netLeverage: nullable(
    number("Signed value at the mark as a multiple of the balance; null before the first price."),
  ),
  netQuantity: nullable(
    number("Size in the pair's lot unit, negative for SHORT; null when unknown."),
  ),
  averageEntryPrice: ifSent(number("Average price of the fills in the position's direction.")),
  currentReturn: nullable(
    number("Multiplier on the account size: 1.0123 is +1.23 %; null before the first price."),
  ),
  openMs: time("When it was opened."),
  unrealizedPnl: nullable(number("Unrealized PnL at the mark, USD; null before the first price.")),
  realizedPnl: ifSent(number("PnL of its reductions so far, before fees, USD.")),
  netValue: nullable(number("Signed value at the mark, USD; null before the first price.")),
  cumulativeEntryValue: ifSent(number("Value of all fills in its direction, USD.")),
  stopLoss: nullable(number("Stop of its nearest leg; null without a stop.")),
  takeProfit: nullable(number("Target of its nearest leg; null without a target.")),
});
export type PositionItem = Wire<typeof POSITION>;

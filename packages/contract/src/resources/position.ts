import { nullable, number, object, string, time, type Wire, word } from "../schema.ts";
import { POSITION_TYPES } from "../words.ts";

/** Item of GET positions. What needs a price is null until the pair has had one. @rule S2.2 */
export const POSITION = object("An open position.", {
  positionUuid: string("Identifies the position; its trade has the same id once it is closed."),
  tradePair: string("Pair identifier, `BTCUSD`."),
  tradePairDisplay: string("For display, `BTC/USD`."),
  positionType: word(POSITION_TYPES, "Direction."),
  netLeverage: nullable(
    number("Signed value at the mark as a multiple of the balance; null: no price yet."),
  ),
  netQuantity: nullable(
    number("Size in the pair's lot unit, a SHORT negative; null: unknown, never zero."),
  ),
  averageEntryPrice: number("Mean price of the fills in the position's direction."),
  currentReturn: nullable(
    number("Multiplier on the account size: 1.0123 is +1.23 %; null: no price yet."),
  ),
  openMs: time("When it was opened."),
  unrealizedPnl: nullable(number("At the mark, USD; null: no price yet.")),
  realizedPnl: number("Of its reductions so far, before fees, USD."),
  netValue: nullable(number("Signed value at the mark, USD; null: no price yet.")),
  cumulativeEntryValue: number("Value of all fills in its direction, USD."),
  stopLoss: nullable(number("Of its nearest leg; null without any.")),
  takeProfit: nullable(number("Of its nearest leg; null without any.")),
});
export type PositionItem = Wire<typeof POSITION>;

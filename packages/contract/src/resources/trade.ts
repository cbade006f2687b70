import { nullable, number, object, string, time, type Wire, word } from "../schema.ts";
import { POSITION_TYPES, TRADE_STATUSES } from "../words.ts";

/** Item of GET trades. @rule S2.4 */
export const TRADE = object("A closed trade.", {
  id: string("The position's id."),
  tradePair: string("Pair identifier, `BTCUSD`."),
  tradePairDisplay: string("For display, `BTC/USD`."),
  positionType: word(POSITION_TYPES, "Direction of its first fill."),
  leverage: string("Value opened as a multiple of the balance, for display, `0.55x`."),
  leverageNumeric: number("Value of all entries over the balance at the first fill."),
  positionSize: string("Value opened, for display, `$30,000.00`."),
  positionSizeNumeric: number("The same, USD."),
  quantity: nullable(
    number("Everything opened in the pair's lot unit, a SHORT negative; null: unknown."),
  ),
  entryPrice: string("Mean entry price, for display."),
  entryPriceNumeric: number("The same as a number."),
  closePrice: string("Mean exit price, for display."),
  closePriceNumeric: number("The same as a number."),
  unrealizedPnl: number("0: nothing of it is open any more."),
  realizedPnl: number("Before fees, USD."),
  returnAtClose: number("Multiplier on the account size: 1.0123 is +1.23 %."),
  status: word(TRADE_STATUSES, "`LIQUIDATED`: closed by the elimination of the account."),
  openTimeMs: time("First fill."),
  closeTimeMs: time("Last fill."),
  stopLoss: nullable(number("Of the legs that stood when it closed; null without any.")),
  takeProfit: nullable(number("Of the legs that stood when it closed; null without any.")),
  totalFees: number("Of all its fills, carry included, USD."),
});
export type TradeItem = Wire<typeof TRADE>;

import {
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
import { POSITION_TYPES, TRADE_STATUSES } from "../words.ts";

/** Item of GET trades. @rule S2.4 */
export const TRADE = object("A closed trade.", {
  id: string("The position's id."),
  tradePair: string("Pair identifier, `BTCUSD`."),
  tradePairDisplay: string("For display, `BTC/USD`."),
  positionType: word(POSITION_TYPES, "Direction of its first fill."),
  leverage: string("Opened value as a multiple of the balance, for display, `0.55x`."),
  leverageNumeric: ifSent(number("Value of all entries divided by the balance at the first fill.")),
  positionSize: string("Opened value, for display, `$30,000.00`."),
  positionSizeNumeric: ifSent(number("The same, USD.")),
  quantity: nullable(
    number("Opened quantity in the pair's lot unit, negative for SHORT; null when unknown."),
  ),
  entryPrice: string("Average price of all entries, for display."),
  entryPriceNumeric: ifSent(number("The same as a number.")),
  closePrice: string("Average price of all exits, for display."),
  closePriceNumeric: ifSent(number("The same as a number.")),
  unrealizedPnl: number("Always 0 for a closed trade."),
  realizedPnl: ifSent(number("Realized PnL before fees, USD.")),
  returnAtClose: ifSent(number("Multiplier on the account size: 1.0123 is +1.23 %.")),
  status: word(TRADE_STATUSES, "`LIQUIDATED`: closed by the elimination of the account."),
  openTimeMs: time("Time of the first fill."),
  closeTimeMs: time("Time of the last fill."),
  stopLoss: nullable(number("Stop of its legs when it closed; null without a stop.")),
  takeProfit: nullable(number("Target of its legs when it closed; null without a target.")),
  totalFees: ifSent(number("Fees of all its fills, carry included, USD.")),
});
export type TradeItem<Unsent extends Linked = never> = Wire<typeof TRADE, Unsent>;

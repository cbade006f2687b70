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
export const TRADE = object("A closed trade: the whole life of one position.", {
  id: string("The id of the position."),
  tradePair: string("Pair identifier, such as `BTCUSD`."),
  tradePairDisplay: string("Pair for display, such as `BTC/USD`."),
  positionType: word(POSITION_TYPES, "Direction of the position."),
  leverage: string("Total entry value as a multiple of the balance, for display, such as `0.55x`."),
  leverageNumeric: ifSent(number("Total entry value divided by the balance at the first fill.")),
  positionSize: string("Total entry value for display, such as `$30,000.00`."),
  positionSizeNumeric: ifSent(number("Total value of all entry fills, USD.")),
  quantity: nullable(
    number(
      "Total quantity of all entry fills in the pair's lot unit, negative for SHORT; null when unknown.",
    ),
  ),
  entryPrice: string("Average price of all entry fills, for display."),
  entryPriceNumeric: ifSent(number("`entryPrice` as a number.")),
  closePrice: string("Average price of all exit fills, for display."),
  closePriceNumeric: ifSent(number("`closePrice` as a number.")),
  unrealizedPnl: number("Always 0, because the trade is closed."),
  realizedPnl: ifSent(number("Realized PnL before fees, USD; negative for a loss.")),
  returnAtClose: ifSent(
    number("1 plus the realized PnL before fees divided by the account size: 1.0123 is +1.23 %."),
  ),
  status: word(
    TRADE_STATUSES,
    "`LIQUIDATED`: closed because the account was eliminated. `CLOSED`: closed for any other reason.",
  ),
  openTimeMs: time("Time of the first fill."),
  closeTimeMs: time("Time of the last fill."),
  stopLoss: nullable(
    number("Nearest stop-loss price of the legs when the trade closed; null without one."),
  ),
  takeProfit: nullable(
    number("Nearest take-profit price of the legs when the trade closed; null without one."),
  ),
  totalFees: ifSent(number("Fees of all fills and holding costs of the position, USD.")),
});
export type TradeItem<Unsent extends Linked = never> = Wire<typeof TRADE, Unsent>;

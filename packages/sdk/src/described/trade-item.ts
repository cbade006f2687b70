// Made from the schemas of the contract by `npm run docs`.

import type { Linked } from "@propgate/contract";

/** A closed trade. */
export interface TradeItem<Unsent extends Linked = never> {
  /** The position's id. */
  readonly id: string;
  /** Pair identifier, `BTCUSD`. */
  readonly tradePair: string;
  /** For display, `BTC/USD`. */
  readonly tradePairDisplay: string;
  /** Direction of its first fill. */
  readonly positionType: "LONG" | "SHORT";
  /** Opened value as a multiple of the balance, for display, `0.55x`. */
  readonly leverage: string;
  /** Value of all entries divided by the balance at the first fill. */
  readonly leverageNumeric: number | Unsent;
  /** Opened value, for display, `$30,000.00`. */
  readonly positionSize: string;
  /** The same, USD. */
  readonly positionSizeNumeric: number | Unsent;
  /** Opened quantity in the pair's lot unit, negative for SHORT; null when unknown. */
  readonly quantity: number | null;
  /** Average price of all entries, for display. */
  readonly entryPrice: string;
  /** The same as a number. */
  readonly entryPriceNumeric: number | Unsent;
  /** Average price of all exits, for display. */
  readonly closePrice: string;
  /** The same as a number. */
  readonly closePriceNumeric: number | Unsent;
  /** Always 0 for a closed trade. */
  readonly unrealizedPnl: number;
  /** Realized PnL before fees, USD. */
  readonly realizedPnl: number | Unsent;
  /** Multiplier on the account size: 1.0123 is +1.23 %. */
  readonly returnAtClose: number | Unsent;
  /** `LIQUIDATED`: closed by the elimination of the account. */
  readonly status: "CLOSED" | "LIQUIDATED";
  /** Time of the first fill. */
  readonly openTimeMs: number;
  /** Time of the last fill. */
  readonly closeTimeMs: number;
  /** Stop of its legs when it closed; null without a stop. */
  readonly stopLoss: number | null;
  /** Target of its legs when it closed; null without a target. */
  readonly takeProfit: number | null;
  /** Fees of all its fills, carry included, USD. */
  readonly totalFees: number | Unsent;
}

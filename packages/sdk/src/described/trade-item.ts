// Made from the schemas of the contract by `npm run docs`.

import type { Linked } from "@propgate/contract";

/** A closed trade: the whole life of one position. */
export interface TradeItem<Unsent extends Linked = never> {
  /** The id of the position. */
  readonly id: string;
  /** Pair identifier, such as `BTCUSD`. */
  readonly tradePair: string;
  /** Pair for display, such as `BTC/USD`. */
  readonly tradePairDisplay: string;
  /** Direction of the position. */
  readonly positionType: "LONG" | "SHORT";
  /** Total entry value as a multiple of the balance, for display, such as `0.55x`. */
  readonly leverage: string;
  /** Total entry value divided by the balance at the first fill. */
  readonly leverageNumeric: number | Unsent;
  /** Total entry value for display, such as `$30,000.00`. */
  readonly positionSize: string;
  /** Total value of all entry fills, USD. */
  readonly positionSizeNumeric: number | Unsent;
  /**
   * Total quantity of all entry fills in the pair's lot unit, negative for SHORT; null when
   * unknown.
   */
  readonly quantity: number | null;
  /** Average price of all entry fills, for display. */
  readonly entryPrice: string;
  /** `entryPrice` as a number. */
  readonly entryPriceNumeric: number | Unsent;
  /** Average price of all exit fills, for display. */
  readonly closePrice: string;
  /** `closePrice` as a number. */
  readonly closePriceNumeric: number | Unsent;
  /** Always 0, because the trade is closed. */
  readonly unrealizedPnl: number;
  /** Realized PnL before fees, USD; negative for a loss. */
  readonly realizedPnl: number | Unsent;
  /** 1 plus the realized PnL before fees divided by the account size: 1.0123 is +1.23 %. */
  readonly returnAtClose: number | Unsent;
  /**
   * `LIQUIDATED`: closed because the account was eliminated. `CLOSED`: closed for any other reason.
   */
  readonly status: "CLOSED" | "LIQUIDATED";
  /** Time of the first fill. */
  readonly openTimeMs: number;
  /** Time of the last fill. */
  readonly closeTimeMs: number;
  /** Nearest stop-loss price of the legs when the trade closed; null without one. */
  readonly stopLoss: number | null;
  /** Nearest take-profit price of the legs when the trade closed; null without one. */
  readonly takeProfit: number | null;
  /** Fees of all fills and holding costs of the position, USD. */
  readonly totalFees: number | Unsent;
}

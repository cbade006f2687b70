// Made from the schemas of the contract by `npm run docs`.

/** A closed trade. */
export interface TradeItem {
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
  /**
   * Value of all entries divided by the balance at the first fill; null when the network did not
   * send it.
   */
  readonly leverageNumeric: number | null;
  /** Opened value, for display, `$30,000.00`. */
  readonly positionSize: string;
  /** The same, USD; null when the network did not send it. */
  readonly positionSizeNumeric: number | null;
  /** Opened quantity in the pair's lot unit, negative for SHORT; null when unknown. */
  readonly quantity: number | null;
  /** Average entry price, for display. */
  readonly entryPrice: string;
  /** The same as a number; null when the network did not send it. */
  readonly entryPriceNumeric: number | null;
  /** Average exit price, for display. */
  readonly closePrice: string;
  /** The same as a number; null when the network did not send it. */
  readonly closePriceNumeric: number | null;
  /** Always 0 for a closed trade. */
  readonly unrealizedPnl: number;
  /** Realized PnL before fees, USD; null when the network did not send it. */
  readonly realizedPnl: number | null;
  /** Multiplier on the account size: 1.0123 is +1.23 %; null when the network did not send it. */
  readonly returnAtClose: number | null;
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
  /** Fees of all its fills, carry included, USD; null when the network did not send it. */
  readonly totalFees: number | null;
}

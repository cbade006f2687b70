// Made from the schemas of the contract by `npm run docs`.

/** An open position. */
export interface PositionItem {
  /** Identifies the position; its trade has the same id once it is closed. */
  readonly positionUuid: string;
  /** Pair identifier, `BTCUSD`. */
  readonly tradePair: string;
  /** For display, `BTC/USD`. */
  readonly tradePairDisplay: string;
  /** Direction. */
  readonly positionType: "LONG" | "SHORT";
  /** Signed value at the mark as a multiple of the balance; null before the first price. */
  readonly netLeverage: number | null;
  /** Size in the pair's lot unit, negative for SHORT; null when unknown. */
  readonly netQuantity: number | null;
  /**
   * Average price of the fills in the position's direction; null when the network did not send it.
   */
  readonly averageEntryPrice: number | null;
  /** Multiplier on the account size: 1.0123 is +1.23 %; null before the first price. */
  readonly currentReturn: number | null;
  /** When it was opened. */
  readonly openMs: number;
  /** Unrealized PnL at the mark, USD; null before the first price. */
  readonly unrealizedPnl: number | null;
  /** PnL of its reductions so far, before fees, USD; null when the network did not send it. */
  readonly realizedPnl: number | null;
  /** Signed value at the mark, USD; null before the first price. */
  readonly netValue: number | null;
  /** Value of all fills in its direction, USD; null when the network did not send it. */
  readonly cumulativeEntryValue: number | null;
  /** Stop of its nearest leg; null without a stop. */
  readonly stopLoss: number | null;
  /** Target of its nearest leg; null without a target. */
  readonly takeProfit: number | null;
}

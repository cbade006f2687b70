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
  /** Signed value at the mark as a multiple of the balance; null: no price yet. */
  readonly netLeverage: number | null;
  /** Size in the pair's lot unit, a SHORT negative; null: unknown, never zero. */
  readonly netQuantity: number | null;
  /** Mean price of the fills in the position's direction. */
  readonly averageEntryPrice: number;
  /** Multiplier on the account size: 1.0123 is +1.23 %; null: no price yet. */
  readonly currentReturn: number | null;
  /** When it was opened. */
  readonly openMs: number;
  /** At the mark, USD; null: no price yet. */
  readonly unrealizedPnl: number | null;
  /** Of its reductions so far, before fees, USD. */
  readonly realizedPnl: number;
  /** Signed value at the mark, USD; null: no price yet. */
  readonly netValue: number | null;
  /** Value of all fills in its direction, USD. */
  readonly cumulativeEntryValue: number;
  /** Of its nearest leg; null without any. */
  readonly stopLoss: number | null;
  /** Of its nearest leg; null without any. */
  readonly takeProfit: number | null;
}

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
  /** Value opened as a multiple of the balance, for display, `0.55x`. */
  readonly leverage: string;
  /** Value of all entries over the balance at the first fill. */
  readonly leverageNumeric: number;
  /** Value opened, for display, `$30,000.00`. */
  readonly positionSize: string;
  /** The same, USD. */
  readonly positionSizeNumeric: number;
  /** Everything opened in the pair's lot unit, a SHORT negative; null: unknown. */
  readonly quantity: number | null;
  /** Mean entry price, for display. */
  readonly entryPrice: string;
  /** The same as a number. */
  readonly entryPriceNumeric: number;
  /** Mean exit price, for display. */
  readonly closePrice: string;
  /** The same as a number. */
  readonly closePriceNumeric: number;
  /** 0: nothing of it is open any more. */
  readonly unrealizedPnl: number;
  /** Before fees, USD. */
  readonly realizedPnl: number;
  /** Multiplier on the account size: 1.0123 is +1.23 %. */
  readonly returnAtClose: number;
  /** `LIQUIDATED`: closed by the elimination of the account. */
  readonly status: "CLOSED" | "LIQUIDATED";
  /** First fill. */
  readonly openTimeMs: number;
  /** Last fill. */
  readonly closeTimeMs: number;
  /** Of the legs that stood when it closed; null without any. */
  readonly stopLoss: number | null;
  /** Of the legs that stood when it closed; null without any. */
  readonly takeProfit: number | null;
  /** Of all its fills, carry included, USD. */
  readonly totalFees: number;
}

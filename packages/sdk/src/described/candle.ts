// Made from the schemas of the contract by `npm run docs`.

/** The prices halfway between bid and ask, for each quote. */
export interface CandlePrices {
  /** The first price of the interval. */
  readonly open: number;
  /** The highest price of the interval. */
  readonly high: number;
  /** The lowest price of the interval. */
  readonly low: number;
  /** The last price of the interval. */
  readonly close: number;
}

/**
 * The prices of one interval, from its start up to but not including its end. An interval without
 * quotes has no candle.
 */
export interface CandleItem {
  /** Start of the interval: whole minutes, hours or days of UTC. */
  readonly startMs: number;
  /** The prices of sales, before slippage. */
  readonly bid: CandlePrices;
  /** The prices of purchases, before slippage. */
  readonly ask: CandlePrices;
  /** The prices halfway between bid and ask, for each quote. */
  readonly mid: CandlePrices;
  /** Quotes in the interval, at least 1. */
  readonly quoteCount: number;
  /** False for the running interval, whose candle still changes. */
  readonly isComplete: boolean;
}

import type { PairId, Price, UnixMs } from "@propgate/core";

/**
 * The lengths of candles. A candle begins at a whole multiple of its length since 1970 in UTC, so a day begins at 00:00
 * UTC.
 */
export const CANDLE_INTERVALS = ["1m", "5m", "15m", "1h", "1d"] as const;

export type CandleInterval = (typeof CANDLE_INTERVALS)[number];

/** The first, highest, lowest and last price of a candle's quotes, for one of bid, ask and mid. */
export interface CandlePrices {
  readonly open: Price;
  readonly high: Price;
  readonly low: Price;
  readonly close: Price;
}

/**
 * The accepted quotes of a pair that were received in one interval, in the order of epoch and number. An interval
 * without a quote has no candle.
 */
export interface Candle {
  readonly startMs: UnixMs;
  readonly bid: CandlePrices;
  readonly ask: CandlePrices;
  /** The mid prices of the quotes. A mid price is half of bid plus ask. */
  readonly mid: CandlePrices;
  /** The number of quotes; at least 1. */
  readonly count: number;
}

export interface CandleQuery {
  readonly pair: PairId;
  readonly interval: CandleInterval;
  /** Only candles that start later than this are listed; null lists the newest ones. */
  readonly after: UnixMs | null;
  /** The maximum number of candles; at least 1. */
  readonly limit: number;
}

/** Reads quotes as candles. The newest candle may still grow while its interval is not over. */
export interface CandleReader {
  /** At most `limit` candles, oldest first: the first ones after `after`, or the newest ones when `after` is null. */
  list(query: CandleQuery): Promise<readonly Candle[]>;
}

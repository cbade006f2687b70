import type { CandleInterval, CandleItem, MarketView } from "@propgate/contract";

/** The side of the market whose prices the chart shows. */
export type PriceSide = "bid" | "ask";

/** One candle of the chart. `second` is its start in Unix seconds. */
export interface Bar {
  readonly second: number;
  readonly open: number;
  readonly high: number;
  readonly low: number;
  readonly close: number;
}

const MINUTE_MS = 60_000;
const LENGTH_MS: Readonly<Record<CandleInterval, number>> = {
  "1m": MINUTE_MS,
  "5m": 5 * MINUTE_MS,
  "15m": 15 * MINUTE_MS,
  "1h": 60 * MINUTE_MS,
  "1d": 1440 * MINUTE_MS,
};

/** The candles of one side of the market as bars of the chart. */
export function barsOf(candles: readonly CandleItem[], side: PriceSide): readonly Bar[] {
  return candles.map((candle) => ({ second: candle.startMs / 1000, ...candle[side] }));
}

/**
 * The bars with the newest quote of the live stream, which arrives before the next answer of the service. A quote that
 * is older than the newest bar is in the bars already, so it changes none.
 */
export function withQuote(
  bars: readonly Bar[],
  quote: MarketView["quote"],
  { interval, side }: { readonly interval: CandleInterval; readonly side: PriceSide },
): readonly Bar[] {
  const last = bars.at(-1);
  if (last === undefined || quote === null) return bars;
  const lengthMs = LENGTH_MS[interval];
  const second = (quote.atMs - (quote.atMs % lengthMs)) / 1000;
  const price = quote[side];
  if (second < last.second) return bars;
  if (second > last.second) {
    return [...bars, { second, open: price, high: price, low: price, close: price }];
  }
  const grown: Bar = {
    ...last,
    high: Math.max(last.high, price),
    low: Math.min(last.low, price),
    close: price,
  };
  return [...bars.slice(0, -1), grown];
}

/** The lowest and the highest price of the bars; null without bars. */
export function barRange(
  bars: readonly Bar[],
): { readonly lowest: number; readonly highest: number } | null {
  if (bars.length === 0) return null;
  return {
    lowest: Math.min(...bars.map(({ low }) => low)),
    highest: Math.max(...bars.map(({ high }) => high)),
  };
}

import type { CandleItem } from "@propgate/contract";
import type { UnixMs } from "@propgate/core";
import { CANDLE_MS, type Candle, type CandleInterval } from "@propgate/market";

/** The candles in the API's form. The candle whose interval contains `now` is not complete. @rule D9.candles */
export function candleViews(
  candles: readonly Candle[],
  { interval, now }: { readonly interval: CandleInterval; readonly now: UnixMs },
): readonly CandleItem[] {
  return candles.map(({ startMs, bid, ask, mid, count }) => ({
    startMs,
    bid,
    ask,
    mid,
    quoteCount: count,
    isComplete: startMs + CANDLE_MS[interval] <= now,
  }));
}

import {
  type CandleItem,
  parseCandlesQuery,
  type QueryParameters,
  unknownTradePairText,
} from "@propgate/contract";
import { type Instruments, pairNames, unixMs } from "@propgate/core";
import type { Clock } from "../base/clock.ts";
import type { CandleReader } from "../prices/candles/candle-reader.ts";
import { candleViews } from "./views/candle.ts";

export interface CandleOptions {
  readonly candles: CandleReader;
  readonly instruments: Instruments;
  readonly clock: Clock;
}

export type CandlesFound =
  | { readonly ok: true; readonly items: readonly CandleItem[] }
  | { readonly ok: false; readonly message: string };

/** Answers queries for candles, of the API and of the pages alike. @rule D9.candles */
export function candleAnswers({
  candles,
  instruments,
  clock,
}: CandleOptions): (parameters: QueryParameters) => Promise<CandlesFound> {
  const pairOf = pairNames(instruments);
  return async (parameters) => {
    const query = parseCandlesQuery(parameters);
    if (!query.ok) return query;
    const { interval, afterMs, limit } = query;
    const pair = pairOf(query.pair);
    if (!instruments.has(pair)) return { ok: false, message: unknownTradePairText(pair) };
    const after = afterMs === null ? null : unixMs(afterMs);
    // Before the read: an interval that ends during it may have been read without its last quotes.
    const now = clock.now();
    const found = await candles.list({ pair, interval, after, limit });
    return { ok: true, items: candleViews(found, { interval, now }) };
  };
}

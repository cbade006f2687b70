import type { Clock } from "@propgate/base";
import {
  type CandleItem,
  parseCandlesQuery,
  type QueryParameters,
  unknownTradePairText,
} from "@propgate/contract";
import { createPairFinder, type Instruments, unixMs } from "@propgate/core";
import type { CandleReader } from "@propgate/market";
import { candleViews } from "./views/candle.ts";

export interface CandleAnswerOptions {
  readonly candles: CandleReader;
  readonly instruments: Instruments;
  readonly clock: Clock;
}

/** The candles of a query, oldest first, or the text of its problem. */
export type CandlePageReading =
  | {
      readonly ok: true;
      readonly items: readonly CandleItem[];
      /** True when the page begins after a time; false when it has the newest candles. */
      readonly isAfter: boolean;
      /** Whether another candle follows the page; always false for the newest candles. */
      readonly hasMore: boolean;
    }
  | { readonly ok: false; readonly message: string };

/** Answers queries for candles, of the API and of the pages alike. @rule D9.candles */
export function createCandleAnswers({
  candles,
  instruments,
  clock,
}: CandleAnswerOptions): (parameters: QueryParameters) => Promise<CandlePageReading> {
  const pairOf = createPairFinder(instruments);
  return async (parameters) => {
    const query = parseCandlesQuery(parameters);
    if (!query.ok) return query;
    const { interval, afterMs, limit } = query;
    const pair = pairOf(query.pair);
    if (!instruments.has(pair)) return { ok: false, message: unknownTradePairText(pair) };
    const after = afterMs === null ? null : unixMs(afterMs);
    // The clock is read before the candles: an interval that ends during the read may be without its last quotes.
    const now = clock.now();
    // One candle more than the page shows whether another page follows.
    const read = after === null ? limit : limit + 1;
    const found = await candles.list({ pair, interval, after, limit: read });
    return {
      ok: true,
      items: candleViews(found.slice(0, limit), { interval, now }),
      isAfter: after !== null,
      hasMore: found.length > limit,
    };
  };
}

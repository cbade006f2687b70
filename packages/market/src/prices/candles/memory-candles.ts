import { type PairId, type Quote, unixMs } from "@propgate/core";
import type { QuoteBoard } from "../quote-board.ts";
import type { NumberedQuote } from "../quotes/numbered-quote.ts";
import {
  CANDLE_INTERVALS,
  type Candle,
  type CandleInterval,
  type CandleReader,
} from "./candle-reader.ts";
import { candleStart } from "./candle-start.ts";
import { candleOf, joinCandles } from "./counted-candle.ts";

/** The fields of a quote from which candles are counted. */
export type CountedQuote = Pick<NumberedQuote, keyof Quote | "receivedAtMs">;

/** Counts quotes in memory and lists them as candles. */
export interface MemoryCandles extends CandleReader {
  /** Counts an accepted quote in its candle of each interval. */
  addQuote(quote: CountedQuote): void;
}

/** The default maximum number of candles of one pair and interval. */
const CANDLES_MAX = 10_000;

/**
 * Creates a counter of candles in memory, for a service without a tape such as the sandbox. It keeps the newest `kept`
 * candles of each pair and interval and drops older ones, so memory is bounded.
 */
export function createMemoryCandles(kept: number = CANDLES_MAX): MemoryCandles {
  const byPair = new Map<PairId, Map<CandleInterval, Candle[]>>();
  return {
    addQuote(quote) {
      const series = byPair.get(quote.pair) ?? emptySeries();
      byPair.set(quote.pair, series);
      for (const [interval, candles] of series) {
        addToCandle(candles, interval, quote);
        if (candles.length > kept) candles.shift();
      }
    },
    async list({ pair, interval, after, limit }) {
      const candles = byPair.get(pair)?.get(interval) ?? [];
      if (after === null) return candles.slice(-limit);
      const first = candles.findIndex(({ startMs }) => startMs > after);
      return first < 0 ? [] : candles.slice(first, first + limit);
    },
  };
}

/** Counts candles from every quote that the board shows after this call, by the quote's own time `atMs`. */
export function boardCandles(board: Pick<QuoteBoard, "onQuote">): CandleReader {
  const candles = createMemoryCandles();
  board.onQuote((quote) => candles.addQuote({ ...quote, receivedAtMs: quote.atMs }));
  return candles;
}

function emptySeries(): Map<CandleInterval, Candle[]> {
  return new Map(CANDLE_INTERVALS.map((interval) => [interval, []]));
}

/**
 * Adds the quote to the candle of its interval. When there is none, it inserts one in the order of the starts, which
 * need not be the end: after the clock was set back, new quotes belong to earlier intervals.
 */
function addToCandle(candles: Candle[], interval: CandleInterval, quote: CountedQuote): void {
  const startMs = unixMs(candleStart(quote.receivedAtMs, interval));
  const at = candles.findLastIndex((candle) => candle.startMs <= startMs);
  const found = candles[at];
  const candle = candleOf(startMs, quote);
  if (found?.startMs === startMs) candles[at] = joinCandles(found, candle);
  else candles.splice(at + 1, 0, candle);
}

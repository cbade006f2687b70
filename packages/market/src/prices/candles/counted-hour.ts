import { type PairId, type UnixMs, unixMs } from "@propgate/core";
import { isLater } from "@propgate/ledger";
import type { CandleHourRow } from "../../storage/candle-store.ts";
import type { NumberedQuote } from "../quotes/numbered-quote.ts";
import type { Candle } from "./candle-reader.ts";
import { candleStart } from "./candle-start.ts";
import { candleOf, joinCandles } from "./counted-candle.ts";
import { packCandles, unpackCandles } from "./packed-candles.ts";

/**
 * The largest time by which the clock of a restarted process may be behind the clock of the former process. When the
 * stored quotes are later than this process's first quote by more, another process counts the same hour.
 */
const OVERLAP_MAX_MS = 60_000;

/** The minute candles of one pair and hour while its quotes are counted. */
export interface CountedHour {
  readonly pair: PairId;
  readonly hourMs: UnixMs;
  /** Counts a quote. False, without counting it, when this quote or a later one was counted before. */
  addQuote(quote: NumberedQuote): boolean;
  /**
   * Adds the quotes of a row that an earlier process stored before the quotes counted here. False, without a change,
   * when the row's quotes are not earlier than these: then another process counts the same hour.
   */
  prependRow(row: CandleHourRow): boolean;
  /**
   * Joins the row of another node that counts the same quotes. Each minute is taken from the node that has counted more
   * quotes in it.
   */
  mergeRow(row: CandleHourRow): void;
  /** The minute candles, oldest first. */
  minutes(): readonly Candle[];
  /** The row to store, with all quotes so far. */
  row(): CandleHourRow;
}

export function createCountedHour(first: NumberedQuote): CountedHour {
  const { pair } = first;
  const hourMs = unixMs(candleStart(first.receivedAtMs, "1h"));
  let minutes = new Map<number, Candle>();
  let last: CountedLast = first;
  const add = (quote: NumberedQuote): void => {
    const startMs = candleStart(quote.receivedAtMs, "1m");
    const candle = candleOf(startMs, quote);
    const before = minutes.get(startMs);
    minutes.set(startMs, before === undefined ? candle : joinCandles(before, candle));
    last = quote;
  };
  add(first);
  const sorted = (): readonly Candle[] =>
    [...minutes.values()].sort((one, other) => one.startMs - other.startMs);
  return {
    pair,
    hourMs,
    addQuote(quote) {
      if (!isLater(quote, last)) return false;
      add(quote);
      return true;
    },
    prependRow(row) {
      if (!isLater(first, row) || row.lastMs > first.receivedAtMs + OVERLAP_MAX_MS) return false;
      const own = minutes;
      minutes = new Map(unpackCandles(hourMs, row.minutes).map((one) => [one.startMs, one]));
      for (const [startMs, candle] of own) {
        const before = minutes.get(startMs);
        minutes.set(startMs, before === undefined ? candle : joinCandles(before, candle));
      }
      return true;
    },
    mergeRow(row) {
      for (const candle of unpackCandles(hourMs, row.minutes)) {
        const own = minutes.get(candle.startMs);
        if (own === undefined || own.count < candle.count) minutes.set(candle.startMs, candle);
      }
      const { epoch, number, lastMs: receivedAtMs } = row;
      if (isLater(row, last)) last = { epoch, number, receivedAtMs };
    },
    minutes: sorted,
    row: () => hourRow({ pair, hourMs, last, minutes: sorted() }),
  };
}

/** The epoch and number of the last counted quote, and the time at which it was received. */
type CountedLast = Pick<NumberedQuote, "epoch" | "number" | "receivedAtMs">;

function hourRow(hour: {
  readonly pair: PairId;
  readonly hourMs: UnixMs;
  readonly last: CountedLast;
  readonly minutes: readonly Candle[];
}): CandleHourRow {
  const { pair, hourMs, last, minutes } = hour;
  const [first, ...others] = minutes;
  if (first === undefined) throw new Error("broken invariant: an hour of candles without a quote");
  const whole = { ...others.reduce(joinCandles, first), startMs: hourMs };
  return {
    pair,
    hourMs,
    epoch: last.epoch,
    number: last.number,
    lastMs: last.receivedAtMs,
    whole: packCandles(hourMs, [whole]),
    minutes: packCandles(hourMs, minutes),
  };
}

import { type UnixMs, unixMs } from "@propgate/core";
import type { CandleRange, CandleStore, PackedCandles } from "../../storage/candle-store.ts";
import type { Candle, CandleInterval, CandleQuery } from "./candle-reader.ts";
import { CANDLE_MS, candleStart } from "./candle-start.ts";
import { joinCandles } from "./counted-candle.ts";
import { unpackCandles } from "./packed-candles.ts";

/** The minute candles of an hour that is still held in memory. They include the quotes of the hour's stored row. */
export interface PresentHour {
  readonly hourMs: UnixMs;
  readonly minutes: readonly Candle[];
}

interface Hours {
  readonly store: Pick<CandleStore, "minutes" | "hours" | "days">;
  readonly present: readonly PresentHour[];
}

/** The maximum number of rows that one statement reads, so that a query over years does not block all other work. */
const ROWS_MAX = 1_000;

/**
 * The candles of the query's page: stored candles and the minutes of the present hours are joined into candles of the
 * query's interval. When the query has `after`, the page begins with the first candle that starts later.
 * @rule D9.candles decides
 */
export async function listCandles(query: CandleQuery, hours: Hours): Promise<readonly Candle[]> {
  const { interval, after } = query;
  const fromMs = after === null ? 0 : candleStart(after, interval) + CANDLE_MS[interval];
  const present = new Set<number>();
  const parts: Candle[] = [];
  for (const { hourMs, minutes } of hours.present) {
    present.add(hourMs);
    parts.push(...minutes);
  }
  let starts: Starts = { ...ALL_TIME, fromMs };
  for await (const { candles, known } of pagesOf(query, { ...hours, fromMs })) {
    // A present hour already includes the quotes of its stored row, so that row is left out.
    for (const one of candles) if (!present.has(startOfHour(one.startMs))) parts.push(one);
    starts = { fromMs: Math.max(fromMs, known.fromMs), toMs: known.toMs };
    if (countStarts(parts, interval, starts) >= query.limit) break;
  }
  return pageSlice(joinParts(parts, interval, starts), query);
}

interface Page {
  /** The stored candles of the page. Each is at most as long as the query's interval. */
  readonly candles: readonly Candle[];
  /** The range of candle starts that is read completely: no further page can change a candle in it. */
  readonly known: Starts;
}

/** The stored candles in pages, read in the query's direction: from `fromMs` on, or from the newest backwards. */
async function* pagesOf(
  query: CandleQuery,
  from: Hours & { readonly fromMs: number },
): AsyncGenerator<Page, void, undefined> {
  const { interval, after, limit } = query;
  const rowMs = CANDLE_MS[rowInterval(interval)];
  const size = Math.min(ROWS_MAX, Math.ceil((limit * CANDLE_MS[interval]) / rowMs) + 1);
  const isNewest = after === null;
  let cursor = isNewest ? Number.MAX_SAFE_INTEGER : from.fromMs - (from.fromMs % rowMs);
  for (;;) {
    const at = unixMs(cursor);
    const range = { ...(isNewest ? { beforeMs: at } : { fromMs: at }), limit: size };
    const rows = await readRows(query, range, from);
    const candles = rows.flatMap(({ startMs, packed }) => unpackCandles(startMs, packed));
    const last = rows.length < size ? undefined : rows.at(-1);
    if (last === undefined) {
      yield { candles, known: ALL_TIME };
      return;
    }
    cursor = isNewest ? last.startMs : last.startMs + rowMs;
    yield { candles, known: { ...ALL_TIME, [isNewest ? "fromMs" : "toMs"]: cursor } };
  }
}

/** The length of the rows from which candles of an interval are read; never shorter than the interval. */
function rowInterval(interval: CandleInterval): CandleInterval {
  return CANDLE_MS[interval] >= CANDLE_MS["1h"] ? "1d" : "1h";
}

function readRows(
  { pair, interval }: CandleQuery,
  range: CandleRange,
  { store, present }: Hours,
): Promise<readonly PackedCandles[]> {
  if (interval === "1d") {
    const byHour = new Set(present.map(({ hourMs }) => unixMs(candleStart(hourMs, "1d"))));
    return store.days(pair, { ...range, byHour: [...byHour] });
  }
  return interval === "1h" ? store.hours(pair, range) : store.minutes(pair, range);
}

/** A range of candle starts: `fromMs` is included, `toMs` is not. */
interface Starts {
  readonly fromMs: number;
  readonly toMs: number;
}

const ALL_TIME: Starts = { fromMs: 0, toMs: Number.POSITIVE_INFINITY };

/**
 * The number of candles of the interval that the parts will make in the range. It only counts the starts, because the
 * parts are joined once, after the last page.
 */
function countStarts(
  parts: readonly Candle[],
  interval: CandleInterval,
  { fromMs, toMs }: Starts,
): number {
  const starts = new Set<number>();
  for (const { startMs } of parts) {
    const start = candleStart(startMs, interval);
    if (start >= fromMs && start < toMs) starts.add(start);
  }
  return starts.size;
}

function pageSlice(candles: readonly Candle[], { after, limit }: CandleQuery): readonly Candle[] {
  return after === null ? candles.slice(-limit) : candles.slice(0, limit);
}

function startOfHour(atMs: number): number {
  return candleStart(atMs, "1h");
}

function joinParts(
  parts: readonly Candle[],
  interval: CandleInterval,
  { fromMs, toMs }: Starts,
): readonly Candle[] {
  const candles: Candle[] = [];
  for (const part of parts.toSorted((one, other) => one.startMs - other.startMs)) {
    const startMs = unixMs(candleStart(part.startMs, interval));
    if (startMs < fromMs || startMs >= toMs) continue;
    const last = candles.at(-1);
    if (last?.startMs === startMs) candles[candles.length - 1] = joinCandles(last, part);
    else candles.push({ ...part, startMs });
  }
  return candles;
}

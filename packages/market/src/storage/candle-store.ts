import { type PairId, pairId, type UnixMs, unixMs } from "@propgate/core";
import type { Database, Queryable } from "@propgate/ledger";

/** The epoch and number of the last quote that a row counts. */
export interface LastCountedQuote {
  readonly epoch: number;
  readonly number: number;
}

/** The packed candles of one pair and hour. */
export interface CandleHourRow extends LastCountedQuote {
  readonly pair: PairId;
  readonly hourMs: UnixMs;
  /** When the last counted quote was received. */
  readonly lastMs: UnixMs;
  /** The candle of the whole hour, packed. */
  readonly whole: Uint8Array;
  /** The candles of its minutes, packed. */
  readonly minutes: Uint8Array;
}

/** The packed candles of one pair and UTC day: that of the day, and those of its hours. */
export interface CandleDayRow {
  readonly whole: Uint8Array;
  readonly hours: Uint8Array;
}

/** Packed candles of one row, which starts at `startMs`. */
export interface PackedCandles {
  readonly startMs: UnixMs;
  readonly packed: Uint8Array;
}

/** Makes the row of a day from the candles of its hours, oldest first; there is at least one. */
export type DayJoiner = (dayMs: UnixMs, hours: readonly PackedCandles[]) => CandleDayRow;

/** The rows from a moment on, oldest first, or those before a moment, newest first; at most `limit`. */
export type CandleRange = ({ readonly fromMs: UnixMs } | { readonly beforeMs: UnixMs }) & {
  readonly limit: number;
};

/** Stores the candles of hours and days. */
export interface CandleStore {
  /**
   * Adds the row with a null `replaces`, or replaces the row that counts up to `replaces`. False, without a change,
   * when another process has stored or replaced the row meanwhile. The row of its day is made again in the same
   * transaction.
   */
  save(row: CandleHourRow, replaces: LastCountedQuote | null, joinDay: DayJoiner): Promise<boolean>;
  /** The row of an hour; null when there is none. */
  load(pair: PairId, hourMs: UnixMs): Promise<CandleHourRow | null>;
  /** The packed minute candles of at most `limit` hours. */
  minutes(pair: PairId, range: CandleRange): Promise<readonly PackedCandles[]>;
  /** The packed hour candles of at most `limit` days. */
  hours(pair: PairId, range: CandleRange): Promise<readonly PackedCandles[]>;
  /** The packed candles of at most `limit` days. Days in `byHour` have the candles of their hours instead. */
  days(
    pair: PairId,
    range: CandleRange & { readonly byHour: readonly UnixMs[] },
  ): Promise<readonly PackedCandles[]>;
  pairs(): Promise<readonly PairId[]>;
  /**
   * Removes candles of days before the day of `beforeMs`, at most 5,000 hours in one call, oldest first. Returns how
   * many hours it removed. The rows of these days are removed with the last of their hours.
   */
  remove(beforeMs: UnixMs): Promise<number>;
}

interface HourRow {
  readonly pair: string;
  readonly hour_ms: string;
  readonly epoch: string;
  readonly number: string;
  readonly last_ms: string;
  readonly whole: Uint8Array;
  readonly minutes: Uint8Array;
}

interface PackedRow {
  readonly start_ms: string;
  readonly packed: Uint8Array;
}

const COLUMNS = "pair, hour_ms, epoch, number, last_ms, whole, minutes";
/** The maximum number of rows that one statement removes, so that no removal holds locks for long. */
const REMOVED_MAX = 5_000;
const MS_PER_DAY = 86_400_000;
/**
 * The first of the two keys of the advisory lock of a pair's days: an arbitrary number, the same on every node. The
 * second key is a hash of the pair.
 */
const DAY_LOCK = 7_720_019;

export function createCandleStore(database: Database): CandleStore {
  return {
    save: (row, replaces, joinDay) =>
      database.transaction(async (transaction) => {
        if (!(await saveHour(transaction, row, replaces))) return false;
        await saveDay(transaction, { pair: row.pair, dayMs: startOfDay(row.hourMs) }, joinDay);
        return true;
      }),
    async load(pair, hourMs) {
      const rows = await database.query<HourRow>(
        `select ${COLUMNS} from candle_hours where pair = $1 and hour_ms = $2`,
        [pair, hourMs],
      );
      return rows.map(hourOfRow)[0] ?? null;
    },
    minutes: (pair, range) => readPage(database, { ...HOURS, pair, range, packed: "minutes" }),
    hours: (pair, range) => readPage(database, { ...DAYS, pair, range, packed: "hours" }),
    days: (pair, range) =>
      readPage(database, {
        ...DAYS,
        pair,
        range,
        packed: "case when day_ms = any($4::bigint[]) then hours else whole end",
        more: [range.byHour],
      }),
    async pairs() {
      const rows = await database.query<{ readonly pair: string }>(
        "select distinct pair from candle_hours order by pair",
        [],
      );
      return rows.map((row) => pairId(row.pair));
    },
    async remove(beforeMs) {
      const dayMs = startOfDay(beforeMs);
      const rows = await database.query<{ readonly pair: string }>(
        `delete from candle_hours where (pair, hour_ms) in (
           select pair, hour_ms from candle_hours where hour_ms < $1 order by hour_ms limit $2
         ) returning pair`,
        [dayMs, REMOVED_MAX],
      );
      if (rows.length < REMOVED_MAX) {
        await database.query("delete from candle_days where day_ms < $1", [dayMs]);
      }
      return rows.length;
    },
  };
}

async function saveHour(
  transaction: Queryable,
  row: CandleHourRow,
  replaces: LastCountedQuote | null,
): Promise<boolean> {
  const { pair, hourMs, epoch, number, lastMs, whole, minutes } = row;
  const values = [pair, hourMs, epoch, number, lastMs, whole, minutes];
  const saved = await (replaces === null
    ? transaction.query(
        `insert into candle_hours (${COLUMNS}) values ($1, $2, $3, $4, $5, $6, $7)
         on conflict (pair, hour_ms) do nothing returning pair`,
        values,
      )
    : transaction.query(
        `update candle_hours set epoch = $3, number = $4, last_ms = $5, whole = $6, minutes = $7
         where pair = $1 and hour_ms = $2 and epoch = $8 and number = $9 returning pair`,
        [...values, replaces.epoch, replaces.number],
      ));
  return saved.length === 1;
}

interface Day {
  readonly pair: PairId;
  readonly dayMs: UnixMs;
}

/**
 * Makes the row of a day from the rows of its hours. The lock lets only one transaction at a time write a pair's days,
 * so each one reads the hours that earlier ones have written.
 */
async function saveDay(transaction: Queryable, day: Day, joinDay: DayJoiner): Promise<void> {
  const { pair, dayMs } = day;
  await transaction.query("select pg_advisory_xact_lock($1, hashtext($2))", [DAY_LOCK, pair]);
  const rows = await transaction.query<PackedRow>(
    `select hour_ms as start_ms, whole as packed from candle_hours
     where pair = $1 and hour_ms >= $2 and hour_ms < $3 order by hour_ms`,
    [pair, dayMs, dayMs + MS_PER_DAY],
  );
  if (rows.length === 0) return;
  const { whole, hours } = joinDay(dayMs, rows.map(packedOfRow));
  await transaction.query(
    `insert into candle_days (pair, day_ms, whole, hours) values ($1, $2, $3, $4)
     on conflict (pair, day_ms) do update set whole = excluded.whole, hours = excluded.hours`,
    [pair, dayMs, whole, hours],
  );
}

const HOURS = { table: "candle_hours", start: "hour_ms" } as const;
const DAYS = { table: "candle_days", start: "day_ms" } as const;

type Page = (typeof HOURS | typeof DAYS) & {
  readonly pair: PairId;
  readonly range: CandleRange;
  /** The column, or an SQL expression, with the packed candles. */
  readonly packed: string;
  readonly more?: readonly unknown[];
};

async function readPage(database: Queryable, of: Page): Promise<readonly PackedCandles[]> {
  const { table, start, pair, range, packed, more = [] } = of;
  const [beyond, order, atMs] =
    "fromMs" in range ? [">=", "", range.fromMs] : ["<", "desc", range.beforeMs];
  const rows = await database.query<PackedRow>(
    `select ${start} as start_ms, ${packed} as packed from ${table}
     where pair = $1 and ${start} ${beyond} $2 order by ${start} ${order} limit $3`,
    [pair, atMs, range.limit, ...more],
  );
  return rows.map(packedOfRow);
}

function startOfDay(atMs: number): UnixMs {
  return unixMs(atMs - (atMs % MS_PER_DAY));
}

function packedOfRow({ start_ms, packed }: PackedRow): PackedCandles {
  return { startMs: unixMs(Number(start_ms)), packed };
}

function hourOfRow(row: HourRow): CandleHourRow {
  return {
    pair: pairId(row.pair),
    hourMs: unixMs(Number(row.hour_ms)),
    epoch: Number(row.epoch),
    number: Number(row.number),
    lastMs: unixMs(Number(row.last_ms)),
    whole: row.whole,
    minutes: row.minutes,
  };
}

import type { Clock } from "@propgate/base";
import { type PairId, type UnixMs, unixMs } from "@propgate/core";
import { isLater } from "@propgate/ledger";
import type { CandleHourRow, CandleStore, LastCountedQuote } from "../../storage/candle-store.ts";
import type { NumberedQuote } from "../quotes/numbered-quote.ts";
import { listTapeFiles, listTapePairs, type TapeFile } from "../tape/tape-folder.ts";
import { readTapeFile, TapeDamaged } from "../tape/tape-reader.ts";
import type { CandleReader } from "./candle-reader.ts";
import { candleStart } from "./candle-start.ts";
import { type CountedHour, createCountedHour } from "./counted-hour.ts";
import { joinDay } from "./join-day.ts";
import { listCandles } from "./list-candles.ts";

/**
 * The maximum number of tape files of a pair that are counted at a start. Hours are stored when they are over, so a
 * killed process leaves only the quotes of one or two hours uncounted.
 */
const FILES_MAX = 6;

export interface StoredCandlesOptions {
  readonly store: CandleStore;
  readonly clock: Clock;
  /** True when all nodes of the database count the same quotes, so that their rows can be joined. */
  readonly isShared: boolean;
  /** Called with one sentence when another process counts an hour, or when a part of the tape cannot be read. */
  readonly onProblem: (about: string) => void;
}

/** Candles in the database. The candles of hours that are not over are counted in memory. */
export interface StoredCandles extends CandleReader {
  /** Counts an accepted quote. It does not wait for the database. */
  take(quote: NumberedQuote): void;
  /**
   * Counts the quotes on the tape that are newer than the stored rows, such as those of the hour in which a process was
   * killed. It reads only the newest `filesMax` files of each pair, so that a start does not wait for weeks of quotes.
   */
  catchUp(tapeFolder: string, filesMax?: number): Promise<void>;
  /** Stores the hours that are over. Call it regularly. */
  storeEndedHours(): Promise<void>;
  /** Stores all hours in memory, including the present one. */
  close(): Promise<void>;
}

/** An hour that is counted in memory, and what is known of its stored row. */
interface OpenHour {
  readonly counted: CountedHour;
  /**
   * The last quote of the stored row, from which these minutes continue. Null when there is no row, undefined before it
   * was looked up.
   */
  stored: LastCountedQuote | null | undefined;
  /** True when another process counts this hour. Its row stays as it is. */
  isForeign: boolean;
}

export function createStoredCandles(options: StoredCandlesOptions): StoredCandles {
  const { store, clock, onProblem } = options;
  /** The hours in memory by pair, then by the start of the hour. */
  const open = new Map<PairId, Map<UnixMs, OpenHour>>();

  const take = (quote: NumberedQuote): void => {
    const hours = open.get(quote.pair) ?? new Map<UnixMs, OpenHour>();
    open.set(quote.pair, hours);
    const hour = hours.get(unixMs(candleStart(quote.receivedAtMs, "1h")));
    if (hour !== undefined) {
      hour.counted.addQuote(quote);
      return;
    }
    const counted = createCountedHour(quote);
    hours.set(counted.hourMs, { counted, stored: undefined, isForeign: false });
  };

  /** Adds the quotes of the stored row before those in memory. Only the first call has an effect. */
  const join = async (hour: OpenHour): Promise<void> => {
    if (hour.stored !== undefined) return;
    const row = await store.load(hour.counted.pair, hour.counted.hourMs);
    // Another call may have joined the row while this one read it.
    if (hour.stored !== undefined) return;
    hour.stored = row === null ? null : { epoch: row.epoch, number: row.number };
    if (row === null || hour.counted.prependRow(row)) return;
    if (options.isShared) hour.counted.mergeRow(row);
    else yieldTo(hour);
  };
  const yieldTo = (hour: OpenHour): void => {
    hour.isForeign = true;
    const at = new Date(hour.counted.hourMs).toISOString();
    onProblem(
      `another process stored the candles of ${hour.counted.pair} in the hour from ${at}; they stay`,
    );
  };
  /**
   * Makes one attempt to store the hour. True when nothing was left to store, or another process counts the hour. False
   * after every other attempt, because quotes may have come meanwhile or the save may have failed.
   */
  const saveOnce = async (hour: OpenHour): Promise<boolean> => {
    const row = hour.counted.row();
    if (hour.isForeign || isSame(row, hour.stored ?? null)) return true;
    const isSaved = await store.save(row, hour.stored ?? null, joinDay);
    // An earlier attempt may have stored this row although its answer was lost. So after a failed attempt the stored
    // row is read. If it equals this row, the hour is stored. Else another process has stored a row: the two rows are
    // joined when nodes share the candles, else the stored row stays.
    const now = isSaved ? row : await store.load(row.pair, row.hourMs);
    if (now === null || !(options.isShared || isSame(row, now))) {
      yieldTo(hour);
      return true;
    }
    if (options.isShared) hour.counted.mergeRow(now);
    hour.stored = { epoch: now.epoch, number: now.number };
    return false;
  };
  const save = async (hour: OpenHour): Promise<void> => {
    await join(hour);
    let isDone = false;
    while (!isDone) isDone = await saveOnce(hour);
  };
  const saveHours = async (isDue: (hourMs: UnixMs) => boolean): Promise<void> => {
    for (const hours of open.values()) {
      for (const hour of [...hours.values()].filter(({ counted }) => isDue(counted.hourMs))) {
        await save(hour);
        if (isDone(hour) && isOver(hour.counted.hourMs)) hours.delete(hour.counted.hourMs);
      }
    }
  };
  const isOver = (hourMs: UnixMs): boolean => candleStart(clock.now(), "1h") !== hourMs;

  /** Counts the quotes of a file that follow those of its stored row. */
  const countFile = async (file: TapeFile): Promise<void> => {
    const row = await store.load(file.pair, file.hourMs);
    try {
      for await (const group of readTapeFile(file, true)) {
        for (const quote of group) if (row === null || isLater(quote, row)) take(quote);
      }
    } catch (cause) {
      if (!(cause instanceof TapeDamaged)) throw cause;
      onProblem(`candles lack the quotes behind a damaged chunk: ${cause.message}`);
    }
  };
  return {
    take,
    async catchUp(folder, filesMax = FILES_MAX) {
      for (const pair of await listTapePairs(folder)) {
        const newest = (await listTapeFiles(folder, pair)).slice(-filesMax);
        for (const file of await uncountedFiles(newest, store)) {
          await countFile(file);
          // Hours are stored after each file, so that a long tape does not fill the memory.
          await saveHours(isOver);
        }
      }
    },
    storeEndedHours: () => saveHours(isOver),
    close: () => saveHours(() => true),
    async list(query) {
      const hours = [...(open.get(query.pair)?.values() ?? [])];
      for (const hour of hours) await join(hour);
      const present = hours.filter(({ isForeign }) => !isForeign);
      return listCandles(query, {
        store,
        present: present.map(({ counted }) => ({
          hourMs: counted.hourMs,
          minutes: counted.minutes(),
        })),
      });
    },
  };
}

/** Whether everything that was counted in the hour is stored. */
function isDone({ counted, stored, isForeign }: OpenHour): boolean {
  return isForeign || isSame(counted.row(), stored ?? null);
}

function isSame(row: LastCountedQuote, other: CandleHourRow | LastCountedQuote | null): boolean {
  return other !== null && row.epoch === other.epoch && row.number === other.number;
}

/** The files that are not counted, in order: those after the last file whose quotes are all in a stored row. */
async function uncountedFiles(
  files: readonly TapeFile[],
  store: CandleStore,
): Promise<readonly TapeFile[]> {
  for (const [index, file] of files.toReversed().entries()) {
    const row = await store.load(file.pair, file.hourMs);
    if (row === null) continue;
    const last = await lastQuoteOf(file);
    if (last !== null && !isLater(last, row)) return files.slice(files.length - index);
  }
  return files;
}

/** The last readable quote of a file; null when it has none. */
async function lastQuoteOf(file: TapeFile): Promise<NumberedQuote | null> {
  let last: NumberedQuote | null = null;
  try {
    for await (const group of readTapeFile(file, true)) last = group.at(-1) ?? last;
  } catch (cause) {
    // Quotes after the damage cannot be counted, so the last one before it is the last of the file.
    if (!(cause instanceof TapeDamaged)) throw cause;
  }
  return last;
}

import type { Clock } from "@propgate/base";
import { type PairId, type UnixMs, unixMs } from "@propgate/core";
import { isLater } from "@propgate/ledger";
import type { CandleHourRow, CandleStore, CountedUpTo } from "../../storage/candle-store.ts";
import type { NumberedQuote } from "../quotes/numbered-quote.ts";
import { listTapeFiles, listTapePairs, type TapeFile } from "../tape/tape-folder.ts";
import { readTapeFile, TapeDamaged } from "../tape/tape-reader.ts";
import type { CandleReader } from "./candle-reader.ts";
import { candleStart } from "./candle-start.ts";
import { type CountedHour, createCountedHour } from "./counted-hour.ts";
import { joinDay } from "./join-day.ts";
import { listCandles } from "./list-candles.ts";

/** Hours are stored when they are over, so a killed process leaves one or two. */
const FILES_MAX = 6;

export interface StoredCandlesOptions {
  readonly store: CandleStore;
  readonly clock: Clock;
  /** True when the nodes of the database count the same quotes, so that their rows can be joined. */
  readonly isShared: boolean;
  /** Called with one sentence when an hour is another process's, or a part of the tape cannot be read. */
  readonly onProblem: (about: string) => void;
}

/** Candles in the database; those of hours that are not over are counted in memory. */
export interface StoredCandles extends CandleReader {
  /** Counts an accepted quote immediately. */
  take(quote: NumberedQuote): void;
  /**
   * Counts the tape's quotes that are newer than the stored rows, such as those of the hour in which a process was
   * killed. Reads only the newest `filesMax` files of each pair, so that a start does not wait for weeks of quotes.
   */
  catchUp(tapeFolder: string, filesMax?: number): Promise<void>;
  /** Stores the hours that are over. */
  store(): Promise<void>;
  /** Stores all hours. */
  close(): Promise<void>;
}

interface OpenHour {
  readonly counted: CountedHour;
  /** The stored row that these minutes continue; null when there is none, undefined before it was looked up. */
  stored: CountedUpTo | null | undefined;
  /** Another process counts this hour; its row stays. */
  isForeign: boolean;
}

export function createStoredCandles(options: StoredCandlesOptions): StoredCandles {
  const { store, clock, onProblem } = options;
  /** By pair, then by the start of the hour. */
  const open = new Map<PairId, Map<UnixMs, OpenHour>>();

  const take = (quote: NumberedQuote): void => {
    const hours = open.get(quote.pair) ?? new Map<UnixMs, OpenHour>();
    open.set(quote.pair, hours);
    const hour = hours.get(unixMs(candleStart(quote.receivedAtMs, "1h")));
    if (hour !== undefined) {
      hour.counted.take(quote);
      return;
    }
    const counted = createCountedHour(quote);
    hours.set(counted.hourMs, { counted, stored: undefined, isForeign: false });
  };

  /** Puts the stored row's quotes before those in memory. */
  const join = async (hour: OpenHour): Promise<void> => {
    if (hour.stored !== undefined) return;
    const row = await store.load(hour.counted.pair, hour.counted.hourMs);
    // Another call may have joined it meanwhile.
    if (hour.stored !== undefined) return;
    hour.stored = row === null ? null : { epoch: row.epoch, number: row.number };
    if (row === null || hour.counted.continueRow(row)) return;
    if (options.isShared) hour.counted.joinRow(row);
    else yieldTo(hour);
  };
  const yieldTo = (hour: OpenHour): void => {
    hour.isForeign = true;
    const at = new Date(hour.counted.hourMs).toISOString();
    onProblem(
      `another process stored the candles of ${hour.counted.pair} in the hour from ${at}; they stay`,
    );
  };
  /** True when nothing of the hour is left to store. */
  const saveOnce = async (hour: OpenHour): Promise<boolean> => {
    const row = hour.counted.row();
    if (hour.isForeign || isSame(row, hour.stored ?? null)) return true;
    const isSaved = await store.save(row, hour.stored ?? null, joinDay);
    // The answer of an earlier attempt may have been lost.
    const now = isSaved ? row : await store.load(row.pair, row.hourMs);
    if (now === null || !(options.isShared || isSame(row, now))) {
      yieldTo(hour);
      return true;
    }
    if (options.isShared) hour.counted.joinRow(now);
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

  /** Counts a file's quotes behind those of its row. */
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
          // After each file, so that a long tape does not fill the memory.
          await saveHours(isOver);
        }
      }
    },
    store: () => saveHours(isOver),
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

function isDone({ counted, stored, isForeign }: OpenHour): boolean {
  return isForeign || isSame(counted.row(), stored ?? null);
}

function isSame(row: CountedUpTo, other: CandleHourRow | CountedUpTo | null): boolean {
  return other !== null && row.epoch === other.epoch && row.number === other.number;
}

/** The files behind the last one whose quotes are all in a stored row, in order. */
async function uncountedFiles(
  files: readonly TapeFile[],
  store: CandleStore,
): Promise<readonly TapeFile[]> {
  for (const [index, file] of files.toReversed().entries()) {
    const row = await store.load(file.pair, file.hourMs);
    if (row === null) continue;
    const last = await lastOf(file);
    if (last !== null && !isLater(last, row)) return files.slice(files.length - index);
  }
  return files;
}

async function lastOf(file: TapeFile): Promise<NumberedQuote | null> {
  let last: NumberedQuote | null = null;
  try {
    for await (const group of readTapeFile(file, true)) last = group.at(-1) ?? last;
  } catch (cause) {
    // The quotes before the damage are counted.
    if (!(cause instanceof TapeDamaged)) throw cause;
  }
  return last;
}

import type { PairId, UnixMs } from "@propgate/core";
import { isLater } from "@propgate/ledger";
import type { CandleHourRow, CandleStore } from "../../storage/candle-store.ts";
import { listTapeFiles, listTapePairs, type TapeFile } from "../tape/tape-folder.ts";
import { readTapeFile, TapeDamaged } from "../tape/tape-reader.ts";
import { type CountedHour, createCountedHour } from "./counted-hour.ts";
import { unpackCandles } from "./packed-candles.ts";

/** An hour whose stored candles differ from those that a recount of its quotes gives. */
export interface CandleFault {
  readonly pair: PairId;
  readonly hour: string;
  readonly reason: string;
}

/** The result of a recount of a tape. */
export interface CandleProof {
  /** The number of hours on the tape, counted for each pair. */
  readonly hours: number;
  /** The number of those hours that have no stored row, such as the present hour. */
  readonly unstored: number;
  readonly faults: readonly CandleFault[];
}

/** Counts every quote of a tape again, and compares the result with the stored candles. */
export async function verifyCandles(folder: string, store: CandleStore): Promise<CandleProof> {
  let hours = 0;
  let unstored = 0;
  const faults: CandleFault[] = [];
  for (const pair of await listTapePairs(folder)) {
    for (const [hourMs, parts] of filesByHour(await listTapeFiles(folder, pair))) {
      hours += 1;
      const row = await store.load(pair, hourMs);
      const reason = row === null ? null : await hourDifference(parts, row);
      if (row === null) unstored += 1;
      if (reason !== null) faults.push({ pair, hour: hourName(hourMs), reason });
    }
  }
  return { hours, unstored, faults };
}

/**
 * The files of each hour. An hour has several when the clock was set back, or when one of its files was damaged or
 * removed.
 */
function filesByHour(files: readonly TapeFile[]): ReadonlyMap<UnixMs, readonly TapeFile[]> {
  const hours = new Map<UnixMs, TapeFile[]>();
  for (const file of files) hours.set(file.hourMs, [...(hours.get(file.hourMs) ?? []), file]);
  return hours;
}

/** How the stored row of an hour differs from a recount; null when it does not. */
async function hourDifference(
  files: readonly TapeFile[],
  row: CandleHourRow,
): Promise<string | null> {
  try {
    const counted = await countUpTo(files, row);
    if (counted === null) return "the tape has none of the quotes that its candles count";
    const recount = counted.row();
    if (isLater(row, recount)) return "its candles count quotes that are not on the tape";
    const isEqual = (["whole", "minutes"] as const).every(
      (part) =>
        JSON.stringify(unpackCandles(row.hourMs, row[part])) ===
        JSON.stringify(unpackCandles(row.hourMs, recount[part])),
    );
    return isEqual ? null : "its candles are not a recount of its quotes";
  } catch (cause) {
    if (!(cause instanceof TapeDamaged)) throw cause;
    return `its quotes cannot be counted: ${cause.message}`;
  }
}

/**
 * Counts the quotes of the files up to the last quote that the stored row includes; the tape may have newer ones. Null
 * when the files have no quote up to that one.
 */
async function countUpTo(
  files: readonly TapeFile[],
  row: CandleHourRow,
): Promise<CountedHour | null> {
  let counted: CountedHour | null = null;
  for (const file of files) {
    for await (const group of readTapeFile(file, true)) {
      for (const quote of group.filter((one) => !isLater(one, row))) {
        if (counted === null) counted = createCountedHour(quote);
        else counted.addQuote(quote);
      }
    }
  }
  return counted;
}

function hourName(hourMs: UnixMs): string {
  return new Date(hourMs).toISOString().slice(0, 13);
}

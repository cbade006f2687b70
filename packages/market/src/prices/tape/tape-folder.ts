import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { type PairId, pairId, pairKey, type UnixMs, unixMs } from "@propgate/core";
import { hasCode } from "@propgate/ledger";

export const MS_PER_HOUR = 3_600_000;

/** A file of a tape, as its name describes it: `BTCUSD/2026-11-23T01.00000042.tape`. */
export interface TapeFile {
  readonly path: string;
  readonly pair: PairId;
  /** The UTC hour of receipt of its quotes: `2026-11-23T01`. */
  readonly hour: string;
  readonly hourMs: UnixMs;
  /**
   * The number of the file in the order of the pair's files. It is also the order of their hours, unless the clock was
   * set back.
   */
  readonly sequence: number;
}

const NAME = /^(\d{4}-\d{2}-\d{2}T\d{2})\.(\d{8,15})\.tape$/;
/** The form of the pairs' ids, which are the names of their folders. */
const PAIR = /^[A-Za-z0-9_]{1,20}$/;

/**
 * The id of the pair that a text names, in any case and with or without its slash. When the tape has no such pair, it
 * is the name in upper case without the slash. Null when the text cannot be the name of a pair.
 */
export async function findTapePair(folder: string, text: string): Promise<PairId | null> {
  const key = pairKey(text);
  if (!PAIR.test(key)) return null;
  const recorded = (await listTapePairs(folder)).find((pair) => pairKey(pair) === key);
  return recorded ?? pairId(key);
}

/** The UTC hour of a moment, as `2026-11-23T01`. */
export function hourOf(atMs: UnixMs): string {
  return new Date(atMs).toISOString().slice(0, 13);
}

export function hourStartMs(atMs: UnixMs): UnixMs {
  return unixMs(Math.floor(atMs / MS_PER_HOUR) * MS_PER_HOUR);
}

/** The parts of a tape file's name in a pair's folder; null when a tape does not write such names. */
export function parseTapePath(pair: string, name: string): Omit<TapeFile, "path"> | null {
  const [, hour, sequence] = NAME.exec(name) ?? [];
  const hourMs = Date.parse(`${hour}:00:00Z`);
  if (hour === undefined || Number.isNaN(hourMs) || !PAIR.test(pair)) return null;
  return { pair: pairId(pair), hour, hourMs: unixMs(hourMs), sequence: Number(sequence) };
}

export function tapePath(
  folder: string,
  { pair, hour, sequence }: Pick<TapeFile, "pair" | "hour" | "sequence">,
): string {
  return join(folder, pair, `${hour}.${String(sequence).padStart(8, "0")}.tape`);
}

/** The pairs with a folder in the tape, by name. Empty when the tape's folder does not exist or is not a folder. */
export async function listTapePairs(folder: string): Promise<readonly PairId[]> {
  const entries = await namesIn(folder);
  const pairs = entries.filter((entry) => entry.isDirectory() && PAIR.test(entry.name));
  return pairs.map((entry) => pairId(entry.name)).sort();
}

/** The pair's files in the order in which they were written. */
export async function listTapeFiles(folder: string, pair: PairId): Promise<readonly TapeFile[]> {
  const files: TapeFile[] = [];
  for (const entry of await namesIn(join(folder, pair))) {
    const parsed = entry.isFile() ? parseTapePath(pair, entry.name) : null;
    if (parsed !== null) files.push({ ...parsed, path: join(folder, pair, entry.name) });
  }
  return files.sort((one, other) => one.sequence - other.sequence);
}

async function namesIn(folder: string) {
  try {
    return await readdir(folder, { withFileTypes: true });
  } catch (cause) {
    if (hasCode(cause, "ENOENT") || hasCode(cause, "ENOTDIR")) return [];
    throw cause;
  }
}

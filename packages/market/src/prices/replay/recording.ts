import { stat } from "node:fs/promises";
import { basename, dirname, extname, resolve } from "node:path";
import { createPairFinder, type Instruments, pairId, type Quote } from "@propgate/core";
import { compareQuotePositions, isLater } from "@propgate/ledger";
import type { NumberedQuote } from "../quotes/numbered-quote.ts";
import { listTapeFiles, listTapePairs, parseTapePath, type TapeFile } from "../tape/tape-folder.ts";
import { readTapeFile, TapeDamaged } from "../tape/tape-reader.ts";
import { openPriceFile, type PriceFile, parsePriceFile } from "./price-file.ts";
import { PriceFileError } from "./price-file-error.ts";
import type { RowTally } from "./row-tally.ts";

/** One argument of a replay: a file of rows, or the tape files of some pairs. */
export type Recording = (PriceFile & { readonly kind: "rows" }) | TapeRecording;

/** A recording of accepted quotes: the tape files of some pairs. */
export interface TapeRecording {
  readonly kind: "tape";
  readonly path: string;
  /** The files of each pair, in the order in which they were written. */
  readonly pairs: readonly (readonly TapeFile[])[];
}

const TAPE_FILE = ".tape";

/**
 * Finds which kind of recording the argument names: a file of rows, the folder of a tape, the folder of one pair in a
 * tape, or one tape file. Each may be written as `PAIR=path`. Throws a `PriceFileError` for a pair that the catalogue
 * does not have, and for a path without a tape of the pair.
 */
export async function parseRecording(
  argument: string,
  instruments: Instruments,
): Promise<Recording> {
  const named = /^([A-Za-z0-9/._]{1,21})=(.+)$/.exec(argument);
  const path = named?.[2] ?? argument;
  const isFolder = await isDirectory(path);
  if (!isFolder && extname(path) !== TAPE_FILE) {
    return { kind: "rows", ...parsePriceFile(argument, instruments) };
  }
  const found = isFolder ? await filesInFolder(path) : [fileOf(path)];
  const wanted = named?.[1] === undefined ? null : createPairFinder(instruments)(named[1]);
  const pairs = found.filter(([file]) => wanted === null || file?.pair === wanted);
  if (pairs.length === 0)
    throw new PriceFileError(
      isFolder
        ? `${path}: it is a folder without a tape`
        : `${path}: it is the tape of another pair`,
    );
  for (const [file] of pairs) {
    if (file !== undefined && !instruments.has(file.pair)) {
      throw new PriceFileError(
        `${path}: unknown pair "${file.pair}"; name the pairs to replay as PAIR=${path}`,
      );
    }
  }
  return { kind: "tape", path, pairs };
}

/** Opens the recording and streams its quotes in groups, in the order in which they are played. */
export async function openRecording(
  recording: Recording,
  tally: RowTally,
): Promise<AsyncGenerator<readonly Quote[]>> {
  return recording.kind === "rows"
    ? openPriceFile(recording, tally)
    : mergeNumbered(recording.pairs.map(quotesOfFiles));
}

async function isDirectory(path: string): Promise<boolean> {
  try {
    return (await stat(path)).isDirectory();
  } catch {
    // A path that does not exist counts as a file. Opening it reports that it is missing.
    return false;
  }
}

/** The tape files below a folder, by pair. The folder is that of a tape, or that of one pair in a tape. */
async function filesInFolder(path: string): Promise<readonly (readonly TapeFile[])[]> {
  const full = resolve(path);
  const pairs = await listTapePairs(full);
  const below = await Promise.all(pairs.map((pair) => listTapeFiles(full, pair)));
  const own = await listTapeFiles(dirname(full), pairId(basename(full)));
  return [...below, own].filter((files) => files.length > 0);
}

function fileOf(path: string): readonly TapeFile[] {
  const parsed = parseTapePath(basename(dirname(resolve(path))), basename(path));
  if (parsed === null) {
    throw new PriceFileError(
      `${path}: a tape file keeps its name and its pair's folder: PAIR/2026-11-23T01.00000001.tape`,
    );
  }
  return [{ ...parsed, path }];
}

async function* quotesOfFiles(
  files: readonly TapeFile[],
): AsyncGenerator<readonly NumberedQuote[]> {
  for (const file of files) {
    try {
      yield* readTapeFile(file, file === files.at(-1));
    } catch (cause) {
      if (!(cause instanceof TapeDamaged)) throw cause;
      throw new PriceFileError(cause.message, { cause });
    }
  }
}

interface Head {
  readonly stream: AsyncGenerator<readonly NumberedQuote[]>;
  /** The next quotes of the stream; empty before the first read and at the end. */
  group: readonly NumberedQuote[];
}

/** Merges the pairs by epoch and number, the order in which the feed accepted their quotes. */
async function* mergeNumbered(
  streams: readonly AsyncGenerator<readonly NumberedQuote[]>[],
): AsyncGenerator<readonly NumberedQuote[]> {
  let heads: readonly Head[] = streams.map((stream) => ({ stream, group: [] }));
  try {
    for (;;) {
      await Promise.all(heads.filter(({ group }) => group.length === 0).map(refill));
      heads = heads.filter(({ group }) => group.length > 0);
      const [limit] = heads.flatMap(({ group }) => group.slice(-1)).sort(compareQuotePositions);
      if (limit === undefined) return;
      // The group that ends first limits the merge: up to its end all quotes of all streams are read.
      yield heads.flatMap((head) => takeUpTo(head, limit)).sort(compareQuotePositions);
    }
  } finally {
    await Promise.all(streams.map((stream) => stream.return(undefined)));
  }
}

async function refill(head: Head): Promise<void> {
  while (head.group.length === 0) {
    const next = await head.stream.next();
    if (next.done === true) return;
    head.group = next.value;
  }
}

function takeUpTo(head: Head, limit: NumberedQuote): readonly NumberedQuote[] {
  const end = head.group.findIndex((quote) => isLater(quote, limit));
  const taken = end === -1 ? head.group : head.group.slice(0, end);
  head.group = end === -1 ? [] : head.group.slice(end);
  return taken;
}

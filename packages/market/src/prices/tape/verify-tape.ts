import { readFile } from "node:fs/promises";
import { isLater } from "@propgate/ledger";
import type { NumberedQuote } from "../quotes/numbered-quote.ts";
import { UnreadableBytes } from "./byte-reader.ts";
import { decodeChunkBody, type ScannedTape, scanTape } from "./tape-file.ts";
import { hourOf, listTapeFiles, listTapePairs, type TapeFile } from "./tape-folder.ts";

/** The first fault of a file: the number of the wrong chunk, or 0 for the file itself. */
export interface TapeFault {
  readonly path: string;
  readonly chunk: number;
  readonly reason: string;
}

/** The result of a check of a tape: how much was read, and what is wrong. */
export interface TapeProof {
  readonly pairs: number;
  readonly files: number;
  readonly chunks: number;
  readonly quotes: number;
  readonly bytes: number;
  readonly faults: readonly TapeFault[];
  /** The newest files that end in an unfinished write, which the next start cuts off. */
  readonly unfinished: readonly string[];
}

/**
 * Computes every hash in a tape's folder again. Checks that no file or chunk is missing, altered or repeated, and that
 * each quote of a pair has a greater epoch or number than the quote before it.
 */
export async function verifyTape(folder: string): Promise<TapeProof> {
  const pairs = await listTapePairs(folder);
  return verifyTapeFiles(await Promise.all(pairs.map((pair) => listTapeFiles(folder, pair))));
}

/** Checks the files of each pair like `verifyTape`. The files of a pair must follow each other. */
export async function verifyTapeFiles(pairs: readonly (readonly TapeFile[])[]): Promise<TapeProof> {
  const count: Counting = { files: 0, chunks: 0, quotes: 0, bytes: 0, faults: [], unfinished: [] };
  for (const files of pairs) await verifyPair(files, count);
  return { pairs: pairs.length, ...count };
}

interface Counting {
  files: number;
  chunks: number;
  quotes: number;
  bytes: number;
  readonly faults: TapeFault[];
  readonly unfinished: string[];
}

/** The end of the previous file, which the next file must continue. */
interface Before {
  readonly sequence: number;
  /** The last hash; null after a file that could not be read to its end. */
  readonly hash: string | null;
  epoch: number;
  number: number;
}

async function verifyPair(files: readonly TapeFile[], count: Counting): Promise<void> {
  let before: Before | null = null;
  for (const file of files) {
    before = await verifyFile({ file, before, count, isNewest: file === files.at(-1) });
  }
}

async function verifyFile(options: {
  readonly file: TapeFile;
  readonly before: Before | null;
  readonly count: Counting;
  readonly isNewest: boolean;
}): Promise<Before> {
  const { file, before, count } = options;
  const bytes = await readFile(file.path);
  const scanned = scanTape(bytes);
  count.files += 1;
  count.bytes += bytes.length;
  const isUnfinished = options.isNewest && scanned.flaw?.kind === "torn";
  if (isUnfinished) count.unfinished.push(file.path);
  const flaw = isUnfinished ? null : scanned.flaw;
  const after: Before = {
    sequence: file.sequence,
    hash: flaw === null ? (scanned.hash?.toString("hex") ?? null) : null,
    epoch: before?.epoch ?? 0,
    number: before?.number ?? 0,
  };
  const fault = headFault(file, scanned, before) ?? chunkFault(scanned, file, { count, after });
  if (fault !== null) count.faults.push({ path: file.path, ...fault });
  else if (flaw !== null) {
    count.faults.push({ path: file.path, chunk: flaw.chunk, reason: flaw.reason });
  }
  return after;
}

function headFault(
  { pair, hour, sequence }: TapeFile,
  { head }: ScannedTape,
  before: Before | null,
): Omit<TapeFault, "path"> | null {
  if (head === null) return null;
  const fault = (reason: string) => ({ chunk: 0, reason });
  if (head.pair !== pair || head.hour !== hour || head.sequence !== sequence) {
    return fault(
      `the file was renamed: its head says ${head.pair}, ${head.hour}, number ${head.sequence}`,
    );
  }
  if (before === null) return null;
  if (sequence !== before.sequence + 1) {
    return fault(`the pair's file number ${before.sequence + 1} is missing or there twice`);
  }
  if (before.hash !== null && head.after !== before.hash) {
    return fault("its chain does not continue that of the file before it");
  }
  return null;
}

function chunkFault(
  { bodies }: ScannedTape,
  file: TapeFile,
  { count, after }: { readonly count: Counting; readonly after: Before },
): Omit<TapeFault, "path"> | null {
  for (const [index, body] of bodies.entries()) {
    const reason = bodyFault(body, file, { count, after });
    if (reason !== null) return { chunk: index + 1, reason };
  }
  return null;
}

function bodyFault(
  body: Uint8Array,
  file: TapeFile,
  { count, after }: { readonly count: Counting; readonly after: Before },
): string | null {
  try {
    const quotes = decodeChunkBody(file.pair, body);
    count.chunks += 1;
    count.quotes += quotes.length;
    return orderFault(quotes, file, after);
  } catch (cause) {
    if (!(cause instanceof UnreadableBytes)) throw cause;
    return cause.message;
  }
}

function orderFault(
  quotes: readonly NumberedQuote[],
  { hour }: TapeFile,
  after: Before,
): string | null {
  for (const quote of quotes) {
    const { epoch, number, receivedAtMs } = quote;
    if (!isLater(quote, after)) {
      return `number ${number} of epoch ${epoch} is out of order`;
    }
    if (hourOf(receivedAtMs) !== hour) return "a quote was received in another hour";
    after.epoch = epoch;
    after.number = number;
  }
  return null;
}

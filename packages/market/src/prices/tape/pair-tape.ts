import { mkdir, open, readFile, rm } from "node:fs/promises";
import { dirname } from "node:path";
import type { PairId } from "@propgate/core";
import { hasCode } from "@propgate/ledger";
import type { NumberedQuote } from "../quotes/numbered-quote.ts";
import { compactedPath, compactTape } from "./compact-tape.ts";
import {
  decodeChunkBody,
  encodeChunk,
  encodeTapeHead,
  headHash,
  type ScannedTape,
  scanTape,
} from "./tape-file.ts";
import { listTapeFiles, type TapeFile, tapePath } from "./tape-folder.ts";

/** The epoch and number of the last quote on a pair's tape. Quotes up to it are never written again. */
export interface TapeEnd {
  readonly epoch: number;
  readonly number: number;
}

/** Compressed quotes of one pair and one hour that are not on disk yet. */
export interface WaitingChunk {
  readonly hour: string;
  readonly body: Buffer;
}

/** Writes the tape files of one pair. Only one process may write them. */
export interface PairTape {
  /** The epoch and number of the last quote on disk when the tape was opened; null when there was none. */
  readonly end: TapeEnd | null;
  /** Appends a chunk. After an error no part of the chunk counts, and the same call can be repeated. */
  append(chunk: WaitingChunk): Promise<void>;
  /** Forces the written chunks to the disk. */
  sync(): Promise<void>;
}

/** The file to which chunks are appended. */
interface PresentFile {
  readonly path: string;
  readonly hour: string;
  readonly sequence: number;
  /** The size of head and whole chunks. Bytes after them are an unfinished write. */
  bytes: number;
  hash: Buffer;
}

export interface PairTapeOptions {
  readonly folder: string;
  readonly pair: PairId;
  /** Called with one sentence about each file that was cut off, removed or left as damaged. */
  readonly onRepair: (about: string) => void;
}

/** Opens a pair's tape after its last whole chunk, and cuts off the unfinished chunk of a process that was killed. */
export async function openPairTape(options: PairTapeOptions): Promise<PairTape> {
  const { folder, pair } = options;
  const recovered = await recover(options);
  let present = recovered.present;
  let isSynced = true;

  /** Returns the file for a chunk of this hour: the present file, or a new file when the hour has changed. */
  const fileFor = async (hour: string): Promise<PresentFile> => {
    if (present?.hour === hour) return present;
    if (present !== null) await compactFinishedFile(present, pair);
    const sequence = (present?.sequence ?? 0) + 1;
    const after = present === null ? null : present.hash.toString("hex");
    const head = { pair, hour, sequence, after };
    const path = tapePath(folder, head);
    const content = encodeTapeHead(head);
    await mkdir(dirname(path), { recursive: true });
    await writeAt(path, content, 0);
    present = { path, hour, sequence, bytes: content.length, hash: headHash(head) };
    return present;
  };
  const append = async ({ hour, body }: WaitingChunk): Promise<void> => {
    const file = await fileFor(hour);
    const { bytes, hash } = encodeChunk(file.hash, body);
    isSynced = false;
    await writeAt(file.path, bytes, file.bytes);
    file.bytes += bytes.length;
    file.hash = hash;
  };
  return {
    end: recovered.end,
    async append(chunk) {
      try {
        await append(chunk);
      } catch (cause) {
        if (present === null || !hasCode(cause, "ENOENT")) throw cause;
        // The file was removed while the service ran. The next file continues its chain.
        present = { ...present, hour: "" };
        await append(chunk);
      }
    },
    async sync() {
      if (present === null || isSynced) return;
      await syncFile(present.path);
      isSynced = true;
    },
  };
}

interface Recovered {
  readonly present: PresentFile | null;
  readonly end: TapeEnd | null;
}

/**
 * Finds the end of the tape. It goes back from the newest file to one that has a quote, so that no number is written
 * twice.
 */
async function recover(options: PairTapeOptions): Promise<Recovered> {
  const files = await listTapeFiles(options.folder, options.pair);
  let present: PresentFile | null = null;
  for (const file of files.toReversed()) {
    const scanned = scanTape(await readFile(file.path));
    if (present === null) {
      await rm(compactedPath(file.path), { force: true });
      present = await recoverLast(file, scanned, options);
    }
    const last = scanned.bodies.at(-1);
    const quote = last === undefined ? undefined : decodeChunkBody(options.pair, last).at(-1);
    if (quote !== undefined) return { present, end: endOf(quote) };
  }
  return { present, end: null };
}

/** The end of a tape whose last quote is this one. */
export function endOf({ epoch, number }: NumberedQuote): TapeEnd {
  return { epoch, number };
}

/** Repairs the newest file and returns it. Null when its first write was unfinished, so that it was removed. */
async function recoverLast(
  file: TapeFile,
  { head, flaw, wholeBytes, hash }: ScannedTape,
  { onRepair }: PairTapeOptions,
): Promise<PresentFile | null> {
  const { path, hour, sequence } = file;
  if (flaw?.kind === "torn" && (head === null || hash === null)) {
    await rm(path);
    onRepair(`${path} was removed: its first write was not finished`);
    return null;
  }
  if (flaw?.kind === "torn") {
    await truncateFile(path, wholeBytes);
    onRepair(`${path} was cut off after ${wholeBytes} bytes: its last write was not finished`);
  }
  if (flaw?.kind === "damaged") {
    onRepair(`${path} is damaged at byte ${flaw.offset} (${flaw.reason}) and was left as it is`);
    // The empty hour matches no chunk, so the next chunk begins a new file.
    return { path, hour: "", sequence, bytes: wholeBytes, hash: hash ?? Buffer.alloc(0) };
  }
  return { path, hour, sequence, bytes: wholeBytes, hash: hash ?? Buffer.alloc(0) };
}

/**
 * Compacts the file before the next one begins. The file is correct without it, so an error such as a full disk must
 * not stop the next file.
 */
async function compactFinishedFile(present: PresentFile, pair: PairId): Promise<void> {
  if (present.hour === "") return;
  try {
    const compacted = await compactTape(present.path, pair);
    if (compacted === null) {
      await syncFile(present.path);
      return;
    }
    present.bytes = compacted.bytes;
    present.hash = compacted.hash;
  } catch (cause) {
    if (!(cause instanceof Error && "code" in cause)) throw cause;
  }
}

/** Writes all bytes at the position and cuts the file after them. This overwrites an unfinished earlier attempt. */
async function writeAt(path: string, bytes: Buffer, position: number): Promise<void> {
  const file = await open(path, position === 0 ? "w" : "r+", 0o600);
  try {
    let written = 0;
    while (written < bytes.length) {
      const rest = bytes.length - written;
      const { bytesWritten } = await file.write(bytes, written, rest, position + written);
      written += bytesWritten;
    }
    await file.truncate(position + bytes.length);
  } finally {
    await file.close();
  }
}

async function truncateFile(path: string, bytes: number): Promise<void> {
  const file = await open(path, "r+");
  try {
    await file.truncate(bytes);
    await file.sync();
  } finally {
    await file.close();
  }
}

async function syncFile(path: string): Promise<void> {
  try {
    const file = await open(path, "r+");
    try {
      await file.datasync();
    } finally {
      await file.close();
    }
  } catch (cause) {
    if (!hasCode(cause, "ENOENT")) throw cause;
  }
}

import { mkdir } from "node:fs/promises";
import { createSerialQueue } from "@propgate/base";
import { type FolderLock, lockFolder } from "@propgate/ledger";
import { createPairBuffers, type PairBuffer } from "./pair-buffers.ts";
import { openPairTape } from "./pair-tape.ts";
import type { TapeWriter } from "./tape.ts";
import { listTapePairs } from "./tape-folder.ts";

/**
 * The maximum number of bytes of compressed chunks that wait while the disk cannot be written. Beyond it quotes are
 * lost.
 */
const WAITING_BYTES_MAX = 32 * 1_024 * 1_024;

export interface RecordingTapeOptions {
  readonly folder: string;
  /** Called with one sentence about each file that was cut off, removed or left as damaged when it was opened. */
  readonly onRepair: (about: string) => void;
  /** The maximum number of bytes of compressed chunks that wait for the disk; 32 MiB unless given. */
  readonly waitingBytesMax?: number;
}

/** The failures of a tape since it was created. */
export interface TapeTally {
  /**
   * How many quotes are not on the tape. A quote is lost while the tape is not open, when too many bytes wait for the
   * disk, and when one of its values is too extreme for the tape's format.
   */
  readonly lost: number;
  /** How many quotes were not later than the last one of their pair, so that they were not written again. */
  readonly repeated: number;
  /** How many compressed bytes wait for the disk. */
  readonly waitingBytes: number;
}

/** A tape that records accepted quotes in a folder. */
export interface RecordingTape extends TapeWriter {
  /**
   * Locks the folder and continues each pair's tape after its last whole chunk. Throws when another process records in
   * the folder, or when it cannot be written. `flush` tries again; until then quotes are lost.
   */
  open(): Promise<void>;
  /** The greatest epoch on the tape when it was opened; 0 when it had none. */
  lastEpoch(): number;
  tally(): TapeTally;
}

/**
 * Makes a tape that writes accepted quotes to a folder, with one file for each pair and hour. Each quote is written
 * once.
 */
export function createRecordingTape(options: RecordingTapeOptions): RecordingTape {
  const { folder, onRepair, waitingBytesMax = WAITING_BYTES_MAX } = options;
  const tally = { lost: 0, repeated: 0, waitingBytes: 0 };
  const buffers = createPairBuffers(tally, waitingBytesMax);
  const turns = createSerialQueue();
  let lock: FolderLock | null = null;
  let isClosed = false;
  let lastEpoch = 0;

  const open = async (): Promise<void> => {
    if (lock !== null) return;
    await mkdir(folder, { recursive: true });
    const held = lockTape(folder);
    try {
      for (const pair of await listTapePairs(folder)) {
        const buffer = buffers.bufferOf(pair);
        buffer.tape = await openPairTape({ folder, pair, onRepair });
        buffer.end = buffer.tape.end;
        lastEpoch = Math.max(lastEpoch, buffer.end?.epoch ?? 0);
      }
    } catch (cause) {
      held.release();
      throw cause;
    }
    lock = held;
  };
  const writePair = async (buffer: PairBuffer): Promise<void> => {
    // A flush compresses the open quotes of one pair at a time, so that it does not stop other work for long.
    buffers.closeChunk(buffer);
    for (let [chunk] = buffer.waiting; chunk !== undefined; [chunk] = buffer.waiting) {
      buffer.tape ??= await openPairTape({ folder, pair: buffer.pair, onRepair });
      await buffer.tape.append(chunk);
      buffer.waiting.shift();
      tally.waitingBytes -= chunk.body.length;
    }
  };
  const flush = async (): Promise<void> => {
    await open();
    const problems: unknown[] = [];
    for (const buffer of buffers.all()) {
      // A pair that cannot be written must not prevent the others from being written.
      await writePair(buffer).catch((cause: unknown) => problems.push(cause));
    }
    const fault = buffers.takeFault();
    if (fault !== null) problems.push(fault);
    if (problems.length > 0) throw problems[0];
  };
  const close = async (): Promise<void> => {
    if (isClosed) return;
    isClosed = true;
    try {
      if (lock === null) return;
      await flush();
      for (const { tape } of buffers.all()) await tape?.sync();
    } finally {
      lock?.release();
    }
  };
  return {
    open: () => turns.run(open),
    lastEpoch: () => lastEpoch,
    tally: () => ({ ...tally }),
    write(quote) {
      if (lock === null || isClosed) tally.lost += 1;
      else buffers.addQuote(quote);
    },
    flush: () => turns.run(flush),
    close: () => turns.run(close),
  };
}

function lockTape(folder: string): FolderLock {
  try {
    return lockFolder(folder);
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    const text = reason.replace("The data folder", "This process records no tape: the folder");
    throw new Error(text, { cause });
  }
}

import { bytesOfHex, hexOf, utf8Of } from "../byte-text.ts";
import type { AccountEvent } from "../described/events.ts";
import { webDigests } from "../digests.ts";
import { HistoryDiffersError } from "../errors.ts";

/**
 * Verifies that events follow each other without a gap, and that each has the hash of its journal line. @rule D9.proof
 */
export interface Chain {
  /** Adds the next event. Throws HistoryDiffersError when it does not follow the previous event. */
  add(event: Pick<AccountEvent, "sequence" | "cursor" | "atMs" | "proof">): Promise<void>;
  /** Checks the cursor of a mark. Throws HistoryDiffersError unless it is the cursor of the last added event. */
  mark(cursor: string): void;
}

const START: Uint8Array = new Uint8Array(32);

/**
 * Begins a chain after the line with this number. `hash` is that line's hash in hexadecimal; null at the start of the
 * journal. All lines must belong to the account of the first one.
 */
export function createChain(sequence: number, hash: string | null): Chain {
  let before = { sequence, hash: hash === null ? START : bytesOfHex(hash) };
  let account: unknown = null;
  return {
    async add(event) {
      const { line = "", hash: given } = event.proof ?? {};
      const bytes = await webDigests.sha256(joined(before.hash, utf8Of(line)));
      const [owner, number, atMs] = columnsOf(line);
      account ??= owner;
      const isNext =
        event.sequence === before.sequence + 1 &&
        number === event.sequence &&
        atMs === event.atMs &&
        owner === account &&
        hexOf(bytes) === given &&
        event.cursor === cursorOf(event.sequence, bytes);
      if (!isNext) {
        throw new HistoryDiffersError(
          `event ${event.sequence} does not follow event ${before.sequence} by its hash`,
        );
      }
      before = { sequence: event.sequence, hash: bytes };
    },
    mark(cursor) {
      if (cursor === cursorOf(before.sequence, before.hash)) return;
      throw new HistoryDiffersError(`a mark at ${cursor} after event ${before.sequence}`);
    },
  };
}

/** The cursor of a line: its number and half of its hash. */
function cursorOf(sequence: number, hash: Uint8Array): string {
  return `${sequence}-${hexOf(hash).slice(0, 32)}`;
}

function columnsOf(line: string): readonly unknown[] {
  try {
    const columns: unknown = JSON.parse(line.slice(0, line.indexOf("\n")));
    return Array.isArray(columns) ? columns : [];
  } catch {
    return [];
  }
}

function joined(first: Uint8Array, second: Uint8Array): Uint8Array {
  const bytes = new Uint8Array(first.length + second.length);
  bytes.set(first);
  bytes.set(second, first.length);
  return bytes;
}

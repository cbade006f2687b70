import type { BodyMemory } from "./body-memory.ts";

/** A growing buffer for one body. Chunks are copied, so many small ones take no extra memory. */
export interface BodyBuffer {
  /**
   * Adds a chunk, or only counts its bytes after `discardContent`. Null unless the body is too large, or the shared
   * memory or the client's share of it is used up.
   */
  add(piece: Buffer): "tooLarge" | "noRoom" | null;
  bytes(): Buffer;
  /** Frees the buffer. Later chunks are discarded, and only their bytes are counted. */
  discardContent(): void;
  /** Gives the memory that the buffer has reserved back to the shared memory. */
  releaseMemory(): void;
}

/** The bounds of one body, and the client that sends it. */
export interface BodyBounds {
  readonly bytesMax: number;
  /** The client's address. The body counts toward the share of the client's network in the shared memory. */
  readonly address: string;
  /** The announced length; null for a chunked body. */
  readonly announced: number | null;
}

const NOTHING = Buffer.alloc(0);
/** Bytes that every body may use outside the shared memory, so orders are received even when that memory is used up. */
const FREE_BYTES = 4_096;

export function createBodyBuffer(room: BodyMemory, bounds: BodyBounds): BodyBuffer {
  const { bytesMax, address, announced } = bounds;
  let buffer = NOTHING;
  let size = 0;
  let taken = 0;

  /**
   * Doubles the buffer's size, because an announced length is not trusted before the bytes arrive. False when the
   * shared memory, or the client's share of it, is used up.
   */
  const grow = (needed: number): boolean => {
    const last = Math.min(bytesMax, announced ?? bytesMax);
    const capacity = Math.max(needed, Math.min(last, Math.max(2 * buffer.length, FREE_BYTES)));
    const more = Math.max(0, capacity - FREE_BYTES) - taken;
    if (more > 0 && !room.reserve(address, more)) return false;
    taken += more;
    const grown = Buffer.allocUnsafeSlow(capacity);
    buffer.copy(grown, 0, 0, size);
    buffer = grown;
    return true;
  };

  let isKept = true;
  const drop = (): void => {
    if (taken > 0) room.release(address, taken);
    taken = 0;
    buffer = NOTHING;
  };
  return {
    add(piece) {
      const needed = size + piece.length;
      if (needed > bytesMax) return "tooLarge";
      if (isKept && needed > buffer.length && !grow(needed)) return "noRoom";
      if (isKept) piece.copy(buffer, size);
      size = needed;
      return null;
    },
    bytes: () => buffer.subarray(0, size),
    discardContent() {
      isKept = false;
      drop();
    },
    releaseMemory: drop,
  };
}

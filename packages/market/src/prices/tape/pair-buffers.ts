import { type PairId, type UnixMs, unixMs } from "@propgate/core";
import { isLater } from "@propgate/ledger";
import type { NumberedQuote } from "../quotes/numbered-quote.ts";
import { CHUNK_QUOTES_MAX } from "./compact-tape.ts";
import { endOf, type PairTape, type TapeEnd, type WaitingChunk } from "./pair-tape.ts";
import { encodeChunkBody } from "./tape-file.ts";
import { hourOf, hourStartMs } from "./tape-folder.ts";

/** The maximum number of quotes of all pairs that wait uncompressed. When it is reached, all are compressed early. */
const OPEN_QUOTES_MAX = 65_536;

/** The quotes of one pair that are not on disk yet. */
export interface PairBuffer {
  readonly pair: PairId;
  /** The pair's files on disk; null until they are opened. */
  tape: PairTape | null;
  /** The epoch and number of the pair's last quote, on the tape or taken since; null when there is none. */
  end: TapeEnd | null;
  /** The quotes that are not compressed yet, all of one hour and one epoch. */
  open: NumberedQuote[];
  openHourMs: UnixMs;
  /** The compressed quotes that wait for the disk. */
  readonly waiting: WaitingChunk[];
}

/** How many quotes were lost and repeated, and how many compressed bytes wait. */
export interface BufferTally {
  lost: number;
  repeated: number;
  waitingBytes: number;
}

/** Buffers the quotes of every pair until they are on disk. */
export interface PairBuffers {
  bufferOf(pair: PairId): PairBuffer;
  all(): Iterable<PairBuffer>;
  /** Takes a quote that comes after the pair's last one. Any other quote counts as repeated. */
  addQuote(quote: NumberedQuote): void;
  /**
   * Compresses the pair's open quotes into a chunk that waits for the disk. They are lost when too many bytes already
   * wait, or when a chunk cannot store their numbers.
   */
  closeChunk(buffer: PairBuffer): void;
  /** Returns and forgets the first error of compressing since the last call; null when there was none. */
  takeFault(): unknown;
}

export function createPairBuffers(tally: BufferTally, waitingBytesMax: number): PairBuffers {
  const buffers = new Map<PairId, PairBuffer>();
  let openQuotes = 0;
  let fault: unknown = null;

  const of = (pair: PairId): PairBuffer => {
    const known = buffers.get(pair);
    if (known !== undefined) return known;
    const made = { pair, tape: null, end: null, open: [], openHourMs: unixMs(0), waiting: [] };
    buffers.set(pair, made);
    return made;
  };
  /**
   * Makes the body of a chunk. Returns null when the tape cannot store a number of a quote: an extreme value of a
   * source must not stop the feed.
   */
  const bodyOf = (quotes: readonly NumberedQuote[]): Buffer | null => {
    try {
      return encodeChunkBody(quotes);
    } catch (cause) {
      fault ??= cause;
      return null;
    }
  };
  const seal = (buffer: PairBuffer): void => {
    const { open: quotes } = buffer;
    if (quotes.length === 0) return;
    buffer.open = [];
    openQuotes -= quotes.length;
    const body = bodyOf(quotes);
    if (body === null || tally.waitingBytes + body.length > waitingBytesMax) {
      tally.lost += quotes.length;
      return;
    }
    buffer.waiting.push({ hour: hourOf(buffer.openHourMs), body });
    tally.waitingBytes += body.length;
  };
  return {
    bufferOf: of,
    all: () => buffers.values(),
    addQuote(quote) {
      const buffer = of(quote.pair);
      if (!isAfter(quote, buffer.end)) {
        tally.repeated += 1;
        return;
      }
      const hourMs = hourStartMs(quote.receivedAtMs);
      if (buffer.openHourMs !== hourMs || buffer.end?.epoch !== quote.epoch) seal(buffer);
      buffer.openHourMs = hourMs;
      buffer.end = endOf(quote);
      buffer.open.push(quote);
      openQuotes += 1;
      if (buffer.open.length >= CHUNK_QUOTES_MAX) seal(buffer);
      if (openQuotes >= OPEN_QUOTES_MAX) for (const one of buffers.values()) seal(one);
    },
    closeChunk: seal,
    takeFault() {
      const first = fault;
      fault = null;
      return first;
    },
  };
}

function isAfter(quote: NumberedQuote, end: TapeEnd | null): boolean {
  return end === null || isLater(quote, end);
}

import { type PairId, type UnixMs, unixMs } from "@propgate/core";
import { isLater } from "@propgate/ledger";
import type { NumberedQuote } from "../quotes/numbered-quote.ts";
import { CHUNK_QUOTES_MAX } from "./compact-tape.ts";
import { endOf, type PairTape, type TapeEnd, type WaitingChunk } from "./pair-tape.ts";
import { chunkBody } from "./tape-file.ts";
import { hourOf, hourStartMs } from "./tape-folder.ts";

/** Quotes of all pairs that wait as objects; beyond it they are compressed early. */
const OPEN_QUOTES_MAX = 65_536;

/** The quotes of one pair that are not on disk yet. */
export interface PairBuffer {
  readonly pair: PairId;
  tape: PairTape | null;
  /** The last quote that was taken. */
  end: TapeEnd | null;
  /** Quotes of one hour and one epoch. */
  open: NumberedQuote[];
  openHourMs: UnixMs;
  readonly waiting: WaitingChunk[];
}

export interface BufferTally {
  lost: number;
  repeated: number;
  waitingBytes: number;
}

export interface PairBuffers {
  of(pair: PairId): PairBuffer;
  all(): Iterable<PairBuffer>;
  /** Takes a quote that is behind the pair's last one; counts any other as repeated. */
  take(quote: NumberedQuote): void;
  /** Compresses the pair's quotes to a chunk that waits for the disk. */
  seal(buffer: PairBuffer): void;
  /** The first error of compressing since the last call; null when there is none. */
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
  /** Null when a quote has a figure that no tape can hold: a source's nonsense must not stop the feed. */
  const bodyOf = (quotes: readonly NumberedQuote[]): Buffer | null => {
    try {
      return chunkBody(quotes);
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
    of,
    all: () => buffers.values(),
    take(quote) {
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
    seal,
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

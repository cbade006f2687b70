import { createHash } from "node:crypto";
import { deflateRawSync, inflateRawSync } from "node:zlib";
import { type PairId, pairId } from "@propgate/core";
import type { NumberedQuote } from "../quotes/numbered-quote.ts";
import { UnreadableBytes } from "./byte-reader.ts";
import { readQuotes, writeQuotes } from "./quote-columns.ts";

/**
 * The head of a tape file. The file is the head as one line of JSON, followed by chunks. A chunk is a mark, the length
 * of its body, the body, and a SHA-256 hash over the previous hash, the length and the body. The previous hash of the
 * first chunk is that of the head, and the head has the last hash of the pair's previous file. So a chunk that is
 * altered, lost or moved breaks the chain.
 */
export interface TapeHead {
  readonly pair: PairId;
  /** The UTC hour in which all quotes of the file were received: `2026-11-23T01`. */
  readonly hour: string;
  /** The number of the file among the pair's files, from 1. */
  readonly sequence: number;
  /** The last hash of the previous file, in hex; null for the pair's first file. */
  readonly after: string | null;
}

/** Marks the start of a chunk, so that whole chunks are found after a damaged one. */
const MARK = Buffer.from("\u0001CH\n", "latin1");
const LENGTH_BYTES = 4;
const HASH_BYTES = 32;
const FORM = 1;
/** The maximum number of bytes of a head. A real head is much shorter. */
const HEAD_BYTES_MAX = 1_024;
/**
 * The maximum number of bytes of a chunk. This service writes only smaller ones. A damaged chunk that decompresses to
 * more is rejected before it takes all memory.
 */
const CHUNK_BYTES_MAX = 64 * 1_024 * 1_024;

/** The head as the bytes at the beginning of its file. */
export function encodeTapeHead({ pair, hour, sequence, after }: TapeHead): Buffer {
  return Buffer.from(`${JSON.stringify({ tape: FORM, pair, hour, sequence, after })}\n`, "utf8");
}

/** The hash of the head, from which the file's first chunk continues. */
export function headHash(head: TapeHead): Buffer {
  return createHash("sha256").update(encodeTapeHead(head)).digest();
}

/** The body of a chunk: its quotes in columns, compressed. */
export function encodeChunkBody(quotes: readonly NumberedQuote[]): Buffer {
  return deflateRawSync(writeQuotes(quotes));
}

/** The quotes of a chunk's body. Throws `UnreadableBytes` when `encodeChunkBody` did not make the body. */
export function decodeChunkBody(pair: PairId, body: Uint8Array): readonly NumberedQuote[] {
  try {
    return readQuotes(pair, inflateRawSync(body, { maxOutputLength: CHUNK_BYTES_MAX }));
  } catch (cause) {
    if (cause instanceof UnreadableBytes) throw cause;
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new UnreadableBytes(`the chunk cannot be read: ${reason}`, { cause });
  }
}

/** The bytes of a chunk in a file, and the hash from which the next chunk continues. */
export function encodeChunk(
  before: Buffer,
  body: Buffer,
): { readonly bytes: Buffer; readonly hash: Buffer } {
  const length = Buffer.alloc(LENGTH_BYTES);
  length.writeUInt32LE(body.length);
  const hash = hashOf(before, length, body);
  return { bytes: Buffer.concat([MARK, length, body, hash]), hash };
}

function hashOf(before: Uint8Array, length: Uint8Array, body: Uint8Array): Buffer {
  return createHash("sha256").update(before).update(length).update(body).digest();
}

/** The first fault of a file. */
export interface TapeFlaw {
  /**
   * `torn`: the file ends in an unfinished write, as after a killed process. `damaged`: bytes were changed, because
   * whole chunks follow, or because the head or the content of a whole chunk is wrong.
   */
  readonly kind: "torn" | "damaged";
  readonly reason: string;
  /** The number of the faulty chunk from 1; 0 is the head. */
  readonly chunk: number;
  /** The position in the file at which the faulty chunk or head begins. */
  readonly offset: number;
}

/** The contents of a tape file up to its first fault. */
export interface ScannedTape {
  /** The head; null when it cannot be read. */
  readonly head: TapeHead | null;
  /** The bodies of the whole chunks before the fault. */
  readonly bodies: readonly Buffer[];
  /** The hash of the last whole chunk, or of the head without chunks; null when there is no head. */
  readonly hash: Buffer | null;
  /** The size of the head and the whole chunks. */
  readonly wholeBytes: number;
  readonly flaw: TapeFlaw | null;
}

/** Checks the form and every hash of a tape file. Returns its contents up to the first fault. */
export function scanTape(bytes: Buffer): ScannedTape {
  const read = readHead(bytes);
  if ("flaw" in read) {
    return { head: null, bodies: [], hash: null, wholeBytes: 0, flaw: read.flaw };
  }
  const { head } = read;
  const bodies: Buffer[] = [];
  let hash = headHash(head);
  let at = read.end;
  while (at < bytes.length) {
    const chunk = readChunk(bytes, at, hash);
    if ("reason" in chunk) {
      const { reason, mayBeTorn } = chunk;
      const kind = mayBeTorn && !isWholeChunkAfter(bytes, at) ? "torn" : "damaged";
      const flaw = { kind, reason, chunk: bodies.length + 1, offset: at } as const;
      return { head, bodies, hash, wholeBytes: at, flaw };
    }
    bodies.push(chunk.body);
    hash = chunk.hash;
    at = chunk.end;
  }
  return { head, bodies, hash, wholeBytes: at, flaw: null };
}

function readHead(
  bytes: Buffer,
): { readonly head: TapeHead; readonly end: number } | { readonly flaw: TapeFlaw } {
  const flaw = (kind: TapeFlaw["kind"], reason: string) => ({
    flaw: { kind, reason, chunk: 0, offset: 0 },
  });
  const end = bytes.subarray(0, HEAD_BYTES_MAX).indexOf("\n") + 1;
  if (end === 0 && bytes.length < HEAD_BYTES_MAX && !bytes.includes(MARK)) {
    return flaw("torn", "the head is not whole");
  }
  const head = parseHead(bytes.toString("utf8", 0, end));
  if (head === null) return flaw("damaged", "the head cannot be read");
  if (!encodeTapeHead(head).equals(bytes.subarray(0, end)))
    return flaw("damaged", "the head is altered");
  return { head, end };
}

function parseHead(line: string): TapeHead | null {
  let value: unknown;
  try {
    value = JSON.parse(line);
  } catch {
    return null;
  }
  if (typeof value !== "object" || value === null) return null;
  if (!("tape" in value && value.tape === FORM)) return null;
  if (!("pair" in value && typeof value.pair === "string")) return null;
  if (!("hour" in value && typeof value.hour === "string")) return null;
  if (!("sequence" in value && typeof value.sequence === "number")) return null;
  if (!("after" in value && (value.after === null || typeof value.after === "string"))) return null;
  const { hour, sequence, after } = value;
  return { pair: pairId(value.pair), hour, sequence, after };
}

interface ReadChunk {
  readonly body: Buffer;
  readonly hash: Buffer;
  readonly end: number;
}

interface ChunkFlaw {
  readonly reason: string;
  /** False when an unfinished write cannot have left these bytes. */
  readonly mayBeTorn: boolean;
}

const NOT_WHOLE: ChunkFlaw = { reason: "the chunk is not whole", mayBeTorn: true };

function readChunk(bytes: Buffer, at: number, before: Uint8Array): ReadChunk | ChunkFlaw {
  const bodyAt = at + MARK.length + LENGTH_BYTES;
  if (bodyAt > bytes.length) return NOT_WHOLE;
  if (!MARK.equals(bytes.subarray(at, at + MARK.length))) {
    return { reason: "the chunk's mark is wrong", mayBeTorn: isEmpty(bytes.subarray(at)) };
  }
  const length = bytes.readUInt32LE(at + MARK.length);
  const end = bodyAt + length + HASH_BYTES;
  if (end > bytes.length) return NOT_WHOLE;
  const body = bytes.subarray(bodyAt, bodyAt + length);
  const hash = hashOf(before, bytes.subarray(at + MARK.length, bodyAt), body);
  const written = bytes.subarray(end - HASH_BYTES, end);
  if (!hash.equals(written)) {
    const reason = "the chunk's hash does not match its content";
    return { reason, mayBeTorn: isEmpty(written) };
  }
  return { body, hash, end };
}

/**
 * Whether the bytes are all zero. After a loss of power a file may have the new length of an unfinished write, with
 * zero bytes instead of the content.
 */
function isEmpty(bytes: Uint8Array): boolean {
  return bytes.every((byte) => byte === 0);
}

/**
 * Whether a complete chunk follows: one that ends at the end of the file or at the start of another chunk. Its hash is
 * not checked, because it continues from the previous hash, which may be the damaged part.
 */
function isWholeChunkAfter(bytes: Buffer, from: number): boolean {
  for (let at = bytes.indexOf(MARK, from + 1); at !== -1; at = bytes.indexOf(MARK, at + 1)) {
    const bodyAt = at + MARK.length + LENGTH_BYTES;
    if (bodyAt > bytes.length) return false;
    const end = bodyAt + bytes.readUInt32LE(at + MARK.length) + HASH_BYTES;
    if (end === bytes.length || bytes.indexOf(MARK, end) === end) return true;
  }
  return false;
}

import { open, readFile, rename, rm } from "node:fs/promises";
import { cleanUpAfter, yieldToEventLoop } from "@propgate/base";
import type { PairId } from "@propgate/core";
import type { NumberedQuote } from "../quotes/numbered-quote.ts";
import {
  decodeChunkBody,
  encodeChunk,
  encodeChunkBody,
  encodeTapeHead,
  headHash,
  scanTape,
} from "./tape-file.ts";

/** The maximum number of quotes in a chunk. Larger chunks would not compress better. */
export const CHUNK_QUOTES_MAX = 4_096;
/** A file whose chunks have at least this many quotes on average is left as it is. */
const CHUNK_QUOTES_MIN = 512;

/** The size of the rewritten file, and the hash of its last chunk. */
export interface CompactedTape {
  readonly bytes: number;
  readonly hash: Buffer;
}

/** The path under which the rewritten file is written before it replaces the old one. */
export function compactedPath(path: string): string {
  return `${path}.new`;
}

/**
 * Rewrites the many small chunks of a finished file as few large ones, which takes about a fifth of the bytes. The file
 * is replaced in one step, so a killed process leaves the old or the new one. Null, without a change, when there is
 * little to gain or when the file is damaged or unfinished.
 */
export async function compactTape(path: string, pair: PairId): Promise<CompactedTape | null> {
  const { head, bodies, flaw } = scanTape(await readFile(path));
  if (head === null || flaw !== null || bodies.length < 2) return null;
  const parts = [encodeTapeHead(head)];
  let hash = headHash(head);
  let waiting: NumberedQuote[] = [];
  let quotes = 0;
  const seal = (count: number): void => {
    const sealed = encodeChunk(hash, encodeChunkBody(waiting.slice(0, count)));
    waiting = waiting.slice(count);
    parts.push(sealed.bytes);
    hash = sealed.hash;
  };
  for (const body of bodies) {
    const group = decodeChunkBody(pair, body);
    // A chunk can have quotes of only one epoch.
    if (waiting[0] !== undefined && waiting[0].epoch !== group[0]?.epoch) seal(waiting.length);
    waiting.push(...group);
    quotes += group.length;
    if (quotes >= CHUNK_QUOTES_MIN * bodies.length) return null;
    if (waiting.length < CHUNK_QUOTES_MAX) continue;
    seal(CHUNK_QUOTES_MAX);
    await yieldToEventLoop();
  }
  if (waiting.length > 0) seal(waiting.length);
  const content = Buffer.concat(parts);
  await replace(path, content);
  return { bytes: content.length, hash };
}

async function replace(path: string, content: Buffer): Promise<void> {
  const next = compactedPath(path);
  try {
    const file = await open(next, "w", 0o600);
    try {
      await file.writeFile(content);
      await file.datasync();
    } finally {
      await file.close();
    }
    await rename(next, path);
  } catch (cause) {
    throw await cleanUpAfter(cause, () => rm(next, { force: true }));
  }
}

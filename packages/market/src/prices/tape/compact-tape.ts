import { open, readFile, rename, rm } from "node:fs/promises";
import { cleanUpAfter, otherWork } from "@propgate/base";
import type { PairId } from "@propgate/core";
import type { NumberedQuote } from "../quotes/numbered-quote.ts";
import { chunkBody, headBytes, headHash, quotesOfBody, scanTape, sealChunk } from "./tape-file.ts";

/** Larger chunks compress no better. */
export const CHUNK_QUOTES_MAX = 4_096;
/** A file whose chunks are as large on average is left as it is. */
const CHUNK_QUOTES_MIN = 512;

/** The size of a rewritten file, and the hash at its end. */
export interface CompactedTape {
  readonly bytes: number;
  readonly hash: Buffer;
}

export function compactedPath(path: string): string {
  return `${path}.new`;
}

/**
 * Writes the many small chunks of a finished file as few large ones, in a fifth of the bytes. The file is replaced in
 * one step, so a killed process leaves the former or the new one. Null when there is nothing to gain, or when the file
 * is not whole.
 */
export async function compactTape(path: string, pair: PairId): Promise<CompactedTape | null> {
  const { head, bodies, flaw } = scanTape(await readFile(path));
  if (head === null || flaw !== null || bodies.length < 2) return null;
  const parts = [headBytes(head)];
  let hash = headHash(head);
  let waiting: NumberedQuote[] = [];
  let quotes = 0;
  const seal = (count: number): void => {
    const sealed = sealChunk(hash, chunkBody(waiting.slice(0, count)));
    waiting = waiting.slice(count);
    parts.push(sealed.bytes);
    hash = sealed.hash;
  };
  for (const body of bodies) {
    const group = quotesOfBody(pair, body);
    // A chunk has one epoch.
    if (waiting[0] !== undefined && waiting[0].epoch !== group[0]?.epoch) seal(waiting.length);
    waiting.push(...group);
    quotes += group.length;
    if (quotes >= CHUNK_QUOTES_MIN * bodies.length) return null;
    if (waiting.length < CHUNK_QUOTES_MAX) continue;
    seal(CHUNK_QUOTES_MAX);
    await otherWork();
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

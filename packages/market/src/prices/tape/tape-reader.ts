import { readFile } from "node:fs/promises";
import type { NumberedQuote } from "../quotes/numbered-quote.ts";
import { UnreadableBytes } from "./byte-reader.ts";
import type { TapeReader, TapeStretch } from "./tape.ts";
import { decodeChunkBody, scanTape } from "./tape-file.ts";
import { listTapeFiles, listTapePairs, MS_PER_HOUR, type TapeFile } from "./tape-folder.ts";

/** A file cannot be read to its end. Everything before the chunk that the message names was read. */
export class TapeDamaged extends Error {
  override readonly name = "TapeDamaged";
}

/** Reads the whole chunks in a tape's folder, even while another process writes to it. */
export function createTapeReader(folder: string): TapeReader {
  return {
    pairs: () => listTapePairs(folder),
    async *read(pair, stretch) {
      const files = await listTapeFiles(folder, pair);
      for (const file of files) {
        if (!overlaps(file, stretch)) continue;
        yield* quotesWithin(readTapeFile(file, file === files.at(-1)), stretch);
      }
    },
  };
}

/**
 * The quotes of one file, one chunk at a time. `mayBeUnfinished` ignores an unfinished write at the end, which the next
 * start of the service cuts off. Throws `TapeDamaged` before the first chunk that is damaged or has another form, and
 * at the start for the file of another pair.
 */
export async function* readTapeFile(
  { path, pair }: Pick<TapeFile, "path" | "pair">,
  mayBeUnfinished: boolean,
): AsyncGenerator<readonly NumberedQuote[]> {
  const { head, bodies, flaw } = scanTape(await readFile(path));
  if (head !== null && head.pair !== pair) {
    throw new TapeDamaged(`${path}: the file holds quotes of ${head.pair}`);
  }
  for (const [index, body] of bodies.entries())
    yield quotesOfChunk({ path, pair }, index + 1, body);
  if (flaw === null || (flaw.kind === "torn" && mayBeUnfinished)) return;
  throw new TapeDamaged(`${path}: chunk ${flaw.chunk} at byte ${flaw.offset}: ${flaw.reason}`);
}

function quotesOfChunk(
  { path, pair }: Pick<TapeFile, "path" | "pair">,
  chunk: number,
  body: Uint8Array,
): readonly NumberedQuote[] {
  try {
    return decodeChunkBody(pair, body);
  } catch (cause) {
    if (!(cause instanceof UnreadableBytes)) throw cause;
    throw new TapeDamaged(`${path}: chunk ${chunk}: ${cause.message}`, { cause });
  }
}

function overlaps({ hourMs }: TapeFile, { fromMs, toMs }: TapeStretch): boolean {
  return hourMs < toMs && hourMs + MS_PER_HOUR > fromMs;
}

async function* quotesWithin(
  groups: AsyncIterable<readonly NumberedQuote[]>,
  { fromMs, toMs }: TapeStretch,
): AsyncGenerator<readonly NumberedQuote[]> {
  for await (const group of groups) {
    const inside = group.filter(
      ({ receivedAtMs }) => receivedAtMs >= fromMs && receivedAtMs < toMs,
    );
    if (inside.length > 0) yield inside;
  }
}

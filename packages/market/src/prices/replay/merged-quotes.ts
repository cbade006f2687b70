import type { Quote, UnixMs } from "@propgate/core";
import { isRecorded } from "../port.ts";

/** Quotes that are played at the same moment, in the order of their files. */
export type QuoteInstant = readonly [Quote, ...(readonly Quote[])];

/** The time at which the replay plays the quote: the time of receipt of a recorded quote, else the quote's own time. */
export function playedAtMs(quote: Quote): UnixMs {
  return isRecorded(quote) ? quote.receivedAtMs : quote.atMs;
}

/** A stream with the group of quotes that was read last, and the index in it of the next quote. */
interface Cursor {
  readonly groups: AsyncGenerator<readonly Quote[]>;
  group: readonly Quote[];
  at: number;
}

/** Merges streams that are each in order of time. Yields one moment after another with its quotes. */
export async function* mergeQuotes(
  streams: readonly AsyncGenerator<readonly Quote[]>[],
): AsyncGenerator<QuoteInstant> {
  const cursors: Cursor[] = streams.map((groups) => ({ groups, group: [], at: 0 }));
  try {
    for (;;) {
      await Promise.all(cursors.filter((cursor) => head(cursor) === null).map(refill));
      const heads = cursors.flatMap((cursor) => head(cursor) ?? []);
      const [first] = heads;
      if (first === undefined) return;
      const atMs = Math.min(...heads.map(playedAtMs));
      const taken = cursors.flatMap((cursor) => takeAt(cursor, atMs) ?? []);
      const [one, ...others] = taken;
      if (one !== undefined) yield [one, ...others];
    }
  } finally {
    await Promise.all(streams.map((stream) => stream.return(undefined)));
  }
}

function head(cursor: Cursor): Quote | null {
  return cursor.group[cursor.at] ?? null;
}

function takeAt(cursor: Cursor, atMs: number): Quote | null {
  const quote = head(cursor);
  if (quote === null || playedAtMs(quote) !== atMs) return null;
  cursor.at += 1;
  return quote;
}

/** Reads the stream's next group that is not empty. At the end of the stream the cursor has no further quote. */
async function refill(cursor: Cursor): Promise<void> {
  for (;;) {
    const next = await cursor.groups.next();
    if (next.done === true) return;
    if (next.value.length === 0) continue;
    cursor.group = next.value;
    cursor.at = 0;
    return;
  }
}

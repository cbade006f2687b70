import type { Quote, UnixMs } from "@propgate/core";
import { isRecorded } from "../port.ts";

/** Quotes that share one time, in the order of the files they came from. */
export type QuoteInstant = readonly [Quote, ...(readonly Quote[])];

/** When the replay plays the quote: a recorded one when it was received. */
export function playedAtMs(quote: Quote): UnixMs {
  return isRecorded(quote) ? quote.receivedAtMs : quote.atMs;
}

interface Cursor {
  readonly groups: AsyncGenerator<readonly Quote[]>;
  group: readonly Quote[];
  at: number;
}

/** Merges streams that are each in order of time into one, an instant at a time. */
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

/** Moves to the next group that is not empty; an ended stream stays empty. */
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

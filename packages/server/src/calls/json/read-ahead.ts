import { promisify } from "node:util";
import { deflateRaw, inflateRaw } from "node:zlib";
import { yieldToEventLoop } from "@propgate/base";
import { piecesWithEnd } from "./pieces-with-end.ts";

const pack = promisify(deflateRaw);
const unpack = promisify(inflateRaw);
/** The fastest level of deflate. It already reduces a list to a tenth of its size. */
const LEVEL = 1;

/**
 * Reads the chunks as fast as their source yields them, and keeps them compressed until the client reads them. A slow
 * client therefore holds no transaction open. Resolves when the first chunk has arrived, so a source that fails before
 * its first chunk can still be answered with an error.
 */
export async function readAhead(
  pieces: AsyncIterable<Uint8Array>,
): Promise<AsyncIterable<Uint8Array>> {
  const packed: Promise<Uint8Array>[] = [];
  let wake = (): void => undefined;
  let isOver = false;
  const reading = (async () => {
    for await (const piece of pieces) {
      if (isOver) return;
      packed.push(pack(piece, { level: LEVEL }));
      wake();
      // The embedded database answers without yielding to the event loop, so a long read would delay all other work.
      await yieldToEventLoop();
    }
  })();
  let isRead = false;
  const read = reading.finally(() => {
    isRead = true;
    wake();
  });
  // `read` is awaited below. Until then, this handler keeps its failure from counting as an unhandled rejection.
  read.catch(() => undefined);
  const untilNextChunk = async (): Promise<void> => {
    if (packed.length > 0 || isRead) return;
    await new Promise<void>((resolve) => {
      wake = resolve;
    });
  };
  await untilNextChunk();
  if (packed.length === 0) await read;
  const rest = async function* (): AsyncGenerator<Uint8Array> {
    for (;;) {
      await untilNextChunk();
      const next = packed.shift();
      if (next !== undefined) yield await unpack(await next);
      else if (isRead) return await read;
    }
  };
  return piecesWithEnd(rest(), () => {
    isOver = true;
  });
}

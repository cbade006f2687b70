/**
 * Yields the chunks of `pieces`, and calls `end` once: after the last chunk, after a failure, or when the reader stops.
 * It also calls `end` for a reader that stops before its first chunk, for whom a generator would skip its own
 * `finally`.
 */
export function piecesWithEnd(
  pieces: AsyncIterable<Uint8Array>,
  end: () => void | Promise<void>,
): AsyncIterable<Uint8Array> {
  const source = pieces[Symbol.asyncIterator]();
  let ending: Promise<void> | null = null;
  const endOnce = (): Promise<void> => {
    ending ??= Promise.resolve(end());
    return ending;
  };
  const iterator: AsyncIterator<Uint8Array, undefined> = {
    async next() {
      try {
        const read = await source.next();
        if (read.done !== true) return read;
      } catch (cause) {
        await endOnce();
        throw cause;
      }
      await endOnce();
      return { done: true, value: undefined };
    },
    async return() {
      try {
        await source.return?.();
      } finally {
        await endOnce();
      }
      return { done: true, value: undefined };
    },
  };
  return { [Symbol.asyncIterator]: () => iterator };
}

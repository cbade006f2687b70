/** Merges sequences that are each sorted by `compare`. It always holds the next value of each sequence. */
export async function* mergeSorted<Value>(
  parts: readonly AsyncGenerator<Value>[],
  compare: (one: Value, other: Value) => number,
): AsyncGenerator<Value> {
  try {
    const heads = await Promise.all(
      parts.map(async (part) => ({ part, result: await part.next() })),
    );
    for (;;) {
      const first = heads
        .flatMap((head) => (head.result.done === true ? [] : [{ head, value: head.result.value }]))
        .reduce<{ head: (typeof heads)[number]; value: Value } | null>(
          (smallest, one) =>
            smallest === null || compare(one.value, smallest.value) < 0 ? one : smallest,
          null,
        );
      if (first === null) return;
      yield first.value;
      first.head.result = await first.head.part.next();
    }
  } finally {
    await Promise.all(parts.map((part) => part.return(undefined)));
  }
}

import { isRecord, type OperatorCallName } from "@propgate/contract";

type Fields = Readonly<Record<string, unknown>>;

/** `data` of an answer. A page is also an async iterable over its items and those of the pages after it. */
export function pageOf(
  name: OperatorCallName,
  answer: Fields,
  query: Fields,
  read: (query: Fields) => Promise<Fields>,
): unknown {
  const page = placedItemsOf(name, answer);
  if (page === null) return answer.data;
  return {
    ...page,
    async *[Symbol.asyncIterator](): AsyncGenerator<unknown> {
      let sent = query.after;
      let current: PlacedItems | null = page;
      while (current !== null) {
        yield* current.items;
        const { next } = current;
        // The `next` of events is never null: at the newest event it equals the `after` that was sent.
        if (next === null || next === sent) return;
        sent = next;
        current = placedItemsOf(name, await read({ ...query, after: next }));
      }
    },
  };
}

interface PlacedItems {
  readonly items: readonly unknown[];
  readonly next: unknown;
}

/**
 * The items of an answer and the cursor of the next page; null for an answer without them. An answer with trades has
 * `next` beside `data`; without `next` it has all trades. @rule D13.tradesPage
 */
function placedItemsOf(
  name: OperatorCallName,
  { data, next }: Fields,
): (PlacedItems & Fields) | null {
  if (name === "accounts.trades" && Array.isArray(data)) return { items: data, next: next ?? null };
  if (!isRecord(data) || !Array.isArray(data.items) || !("next" in data)) return null;
  return { ...data, items: data.items, next: data.next };
}

/** The stored open items by uuid, and an answer with items that have changed. */
export interface OpenItems<Item> {
  readonly before: Readonly<Record<string, Item>>;
  readonly beforeCursorMs: number | null;
  /** Open items of the answer. */
  readonly items: readonly Item[];
  /** Uuids of the items that are closed in the answer. */
  readonly closed: ReadonlySet<string>;
  /** The answer's cursor; null when it sent none. */
  readonly cursorMs: number | null;
  /** True when the request was for everything, so that an item missing in the answer is not open. */
  readonly isFull: boolean;
  /** The time of an item. It shows which of two forms of the item is the later one. */
  readonly timeOf: (item: Item) => number;
}

/**
 * The open items after an answer. A full answer replaces them. The cursor of a full answer is that of its open items,
 * so it becomes lower when the newest item closes. Any other answer may be older than the stored cursor. Such an answer
 * still closes items, but an open item in it counts only when its own time is later than that of the stored item. An
 * item that is not stored is compared with the stored cursor: an older one has been closed since.
 */
export function mergeOpenItems<Item extends { readonly uuid: string }>(
  open: OpenItems<Item>,
): Readonly<Record<string, Item>> {
  const { before, beforeCursorMs, items, closed, cursorMs, isFull, timeOf } = open;
  const isBehind =
    !isFull && cursorMs !== null && beforeCursorMs !== null && cursorMs < beforeCursorMs;
  const merged = new Map(isFull ? [] : Object.entries(before));
  for (const uuid of closed) merged.delete(uuid);
  for (const item of items) {
    const stored = merged.get(item.uuid);
    const knownMs = stored === undefined ? beforeCursorMs : timeOf(stored);
    if (isBehind && knownMs !== null && timeOf(item) <= knownMs) continue;
    merged.set(item.uuid, item);
  }
  return Object.fromEntries(merged);
}

/** The first `limit` items of several lists, sorted by `order`. */
export function mergeFirst<Item>(
  lists: readonly (readonly Item[])[],
  order: (one: Item, other: Item) => number,
  limit: number,
): readonly Item[] {
  return lists.flat().toSorted(order).slice(0, limit);
}

/** The order of PostgreSQL for uuid columns, and for texts of ASCII under the collation C. */
export function compareText(one: string, other: string): number {
  if (one === other) return 0;
  return one < other ? -1 : 1;
}

/** The first of each list, then the second of each, and so on. */
export function interleave<Item>(lists: readonly (readonly Item[])[]): readonly Item[] {
  const longest = Math.max(...lists.map(({ length }) => length));
  return Array.from({ length: longest }, (_, index) =>
    lists.flatMap((list) => list.slice(index, index + 1)),
  ).flat();
}

/**
 * Puts an entry behind the others and lets go of the first where there are too many: a map that is
 * written to so holds what was put most recently.
 */
export function putRecent<Key, Value>(
  entries: Map<Key, Value>,
  entry: { readonly key: Key; readonly value: Value; readonly most: number },
): void {
  entries.delete(entry.key);
  entries.set(entry.key, entry.value);
  const [oldest] = entries.keys();
  if (entries.size > entry.most && oldest !== undefined) entries.delete(oldest);
}

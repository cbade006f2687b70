/**
 * Puts an entry last, and drops the first when the map is larger than `max`. A map that is only written this way keeps
 * the most recent entries.
 */
export function putRecent<Key, Value>(
  entries: Map<Key, Value>,
  entry: { readonly key: Key; readonly value: Value; readonly max: number },
): void {
  entries.delete(entry.key);
  entries.set(entry.key, entry.value);
  const [oldest] = entries.keys();
  if (entries.size > entry.max && oldest !== undefined) entries.delete(oldest);
}

/**
 * Puts an entry at the end of the map. True when the map then had more than `max` entries, so that the oldest was
 * dropped.
 */
export function putNewest<Value>(
  map: Map<string, Value>,
  [key, value]: readonly [string, Value],
  max: number,
): boolean {
  map.delete(key);
  map.set(key, value);
  const [oldest] = map.keys();
  if (map.size <= max || oldest === undefined) return false;
  return map.delete(oldest);
}

/** Puts an entry behind all others. True when there were `max` already, so that the oldest is dropped. */
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

/** The earlier of two times; null when both are null. */
export function earlierTime<Time extends number>(
  one: Time | null,
  other: Time | null,
): Time | null {
  if (one === null || other === null) return one ?? other;
  return one < other ? one : other;
}

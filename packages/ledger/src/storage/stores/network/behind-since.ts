/**
 * The SQL of the new `behind_since_ms` of a linked account `l` when an order is sent or ends at `now`. The new time is
 * later than the old one, and not earlier than the stored reading, even when another process has a faster clock. So
 * every stored reading counts as begun before the order.
 */
export function nextBehindSinceSql(now: string): string {
  return `greatest(l.behind_since_ms + 1, l.read_at_ms, ${now})`;
}

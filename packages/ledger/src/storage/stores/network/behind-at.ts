/**
 * Later than every change and reading before it, also when another process has a faster clock: every stored reading
 * began before the order.
 */
export function behindAt(now: string): string {
  return `greatest(l.behind_since_ms + 1, l.read_at_ms, ${now})`;
}

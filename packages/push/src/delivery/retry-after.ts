const RETRY_AFTER_MAX_MS = 24 * 3_600_000;

/** Statuses whose `Retry-After` delays the next attempt. */
const RETRY_AFTER_STATUSES: ReadonlySet<number> = new Set([429, 503]);

/** The asctime form of an HTTP date. It names no zone; its zone is UTC. */
const WITHOUT_ZONE = /^[A-Z][a-z]{2} [A-Z][a-z]{2} [ \d]\d \d\d:\d\d:\d\d \d{4}$/;
const WITH_ZONE = /^[A-Z][a-z]{2,8}, \d\d[ -][A-Z][a-z]{2}[ -]\d{2,4} \d\d:\d\d:\d\d GMT$/;

/**
 * How long the receiver's `Retry-After` delays the next attempt, in milliseconds: 0 to 24 hours. Null for other
 * statuses than 429 and 503, without the header, and for a header that is neither seconds nor an HTTP date. `nowMs` is
 * the machine's time.
 */
export function retryAfterMs(
  status: number,
  header: string | undefined,
  nowMs: number,
): number | null {
  if (!RETRY_AFTER_STATUSES.has(status) || header === undefined) return null;
  const text = header.trim();
  const waitMs = /^\d+$/.test(text) ? Number(text) * 1000 : dateMs(text) - nowMs;
  return Number.isNaN(waitMs) ? null : Math.min(Math.max(waitMs, 0), RETRY_AFTER_MAX_MS);
}

/** The Unix time of an HTTP date in milliseconds; NaN for a string that is not one. */
function dateMs(text: string): number {
  if (WITH_ZONE.test(text)) return Date.parse(text);
  return WITHOUT_ZONE.test(text) ? Date.parse(`${text} GMT`) : Number.NaN;
}

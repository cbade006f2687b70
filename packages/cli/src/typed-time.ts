/** A date, and a time with its zone: ISO 8601 as a person types it. */
const FORM =
  /^(\d{4})-(\d\d)-(\d\d)(?:T(\d\d):(\d\d)(?::(\d\d)(?:\.\d{1,3})?)?(?:Z|[+-](\d\d):?(\d\d)))?$/;
const DAY_MS = 86_400_000;

export interface TypedTime {
  readonly ms: number;
  /** True for a date alone. */
  readonly isDate: boolean;
}

/**
 * Unix milliseconds of a date, at 00:00 UTC, or of a time with its zone. Null for any other text, and for a date or a
 * time that does not exist: `Date.parse` takes 2027-02-29 for the first of March.
 * @rule D13.dates decides
 */
export function typedTime(text: string): TypedTime | null {
  const parts = FORM.exec(text);
  if (parts === null) return null;
  const [
    year = 0,
    month = 0,
    day = 0,
    hour = 0,
    minute = 0,
    second = 0,
    zoneHour = 0,
    zoneMinute = 0,
  ] = parts.slice(1).map((part) => Number(part ?? 0));
  const date = new Date(Date.UTC(year, month - 1, day));
  const exists = date.getUTCMonth() === month - 1 && date.getUTCDate() === day;
  const isOnClock = hour < 24 && minute < 60 && second < 60 && zoneHour < 24 && zoneMinute < 60;
  if (!exists || !isOnClock) return null;
  const ms = Date.parse(text);
  return Number.isNaN(ms) ? null : { ms, isDate: parts[4] === undefined };
}

/** The end of a typed expiry: a date alone is that whole day, UTC. @rule D13.dates */
export function typedExpiry(text: string): number | null {
  const time = typedTime(text);
  if (time === null) return null;
  return time.isDate ? time.ms + DAY_MS : time.ms;
}

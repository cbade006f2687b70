import { timeProblem } from "@propgate/contract";
import { usageError } from "./cli-error.ts";

/** The form of a typed time: a date, or a time with its zone, in ISO 8601. */
const FORM =
  /^(\d{4})-(\d\d)-(\d\d)(?:T(\d\d):(\d\d)(?::(\d\d)(?:\.\d{1,3})?)?(?:Z|[+-](\d\d):?(\d\d)))?$/;
const DAY_MS = 86_400_000;

export interface TypedTime {
  readonly ms: number;
  /** True for a date without a time. */
  readonly isDate: boolean;
}

/**
 * Reads a date, which means 00:00 UTC, or a time with its zone. Null for any other text, and for a date or a time that
 * does not exist, because `Date.parse` would take 2027-02-29 for the first of March.
 * @rule D13.dates decides
 */
export function parseTypedTime(text: string): TypedTime | null {
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

/**
 * The Unix milliseconds of an option's value: a date, which means 00:00 UTC, a time with its zone, or Unix
 * milliseconds.
 * @throws a usage error that names the option, and the unit of a number that is not milliseconds
 * @rule D13.optionTimes decides
 */
export function parseTimeOption(text: string, option: string): number {
  const typed = parseTypedTime(text);
  const ms = typed === null ? digitsOf(text) : typed.ms;
  if (ms === null) {
    throw usageError(
      `${option} is not a time: ${text}`,
      "Use a date, a time with its zone such as 2026-11-23T01:30Z, or Unix milliseconds.",
    );
  }
  const problem = timeProblem(ms, text);
  if (problem !== null) throw usageError(`${option} ${problem}`);
  return ms;
}

/** Like `parseTimeOption`, but rejects a date without a time, because the hour matters. @rule D13.optionTimes */
export function parseExactTimeOption(text: string, option: string): number {
  const typed = parseTypedTime(text);
  if (typed === null ? digitsOf(text) !== null : !typed.isDate)
    return parseTimeOption(text, option);
  throw usageError(`${option} is not a time with its zone: ${text}`, "Such as 2026-12-01T14:30Z.");
}

/** The value of a query parameter that takes a time, as Unix milliseconds. `0` means the beginning. */
export function parseTimeParameter(text: string, option: string): string {
  return text === "0" ? text : String(parseTimeOption(text, option));
}

function digitsOf(text: string): number | null {
  return /^\d{1,20}$/.test(text) ? Number(text) : null;
}

/**
 * The end of a typed expiry in Unix milliseconds: the end of the UTC day for a date without a time, else the typed time
 * itself. Null for a text that `parseTypedTime` does not read. @rule D13.dateExpiry decides
 */
export function parseTypedExpiry(text: string): number | null {
  const time = parseTypedTime(text);
  if (time === null) return null;
  return time.isDate ? time.ms + DAY_MS : time.ms;
}

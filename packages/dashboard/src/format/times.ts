import { UNKNOWN } from "./numbers.ts";

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** A time as `2026-01-05 14:03:07`. All times on the pages are UTC. */
export function timeText(atMs: number | null | undefined): string {
  if (atMs === null || atMs === undefined) return UNKNOWN;
  return new Date(atMs).toISOString().slice(0, 19).replace("T", " ");
}

/** The UTC day of a time as `2026-01-05`. */
export function dayText(atMs: number | null | undefined): string {
  return timeText(atMs).split(" ")[0] ?? UNKNOWN;
}

/**
 * The value when it is a day such as `2026-01-05`; undefined when it is not a text of that form, or when the day does
 * not exist.
 */
export function readDay(value: unknown): string | undefined {
  if (typeof value !== "string" || !/^\d{4}-\d{2}-\d{2}$/.test(value)) return undefined;
  const startMs = Date.parse(value);
  return Number.isNaN(startMs) || dayText(startMs) !== value ? undefined : value;
}

/** The UTC time of day as `14:03:07`. */
export function clockText(atMs: number): string {
  return timeText(atMs).slice(11);
}

/** The time until `untilMs`, as `09:56:53` or `2 d 09:56:53`. After `untilMs` it stays at `00:00:00`. */
export function countdownText(untilMs: number, nowMs: number): string {
  const left = Math.max(0, untilMs - nowMs);
  const days = Math.floor(left / DAY);
  const parts = [(left % DAY) / HOUR, (left % HOUR) / MINUTE, (left % MINUTE) / SECOND];
  const clock = parts.map((part) => String(Math.floor(part)).padStart(2, "0")).join(":");
  return days === 0 ? clock : `${days} d ${clock}`;
}

/** The time that has passed, in its largest unit: `5 min ago`. From one hour to two days it is given in hours. */
export function agoText(atMs: number | null | undefined, nowMs: number): string {
  if (atMs === null || atMs === undefined) return UNKNOWN;
  const ago = Math.max(0, nowMs - atMs);
  if (ago < MINUTE) return `${Math.floor(ago / SECOND)} s ago`;
  if (ago < HOUR) return `${Math.floor(ago / MINUTE)} min ago`;
  if (ago < 2 * DAY) return `${Math.floor(ago / HOUR)} h ago`;
  return `${Math.floor(ago / DAY)} d ago`;
}

/** A length of time in its two largest units, such as `5h 07m`, `3d 02h` or `42s`. */
export function durationText(lengthMs: number | null | undefined): string {
  if (lengthMs === null || lengthMs === undefined) return UNKNOWN;
  const two = (value: number): string => String(Math.floor(value)).padStart(2, "0");
  if (lengthMs >= DAY) return `${Math.floor(lengthMs / DAY)}d ${two((lengthMs % DAY) / HOUR)}h`;
  if (lengthMs >= HOUR)
    return `${Math.floor(lengthMs / HOUR)}h ${two((lengthMs % HOUR) / MINUTE)}m`;
  if (lengthMs >= MINUTE)
    return `${Math.floor(lengthMs / MINUTE)}m ${two((lengthMs % MINUTE) / SECOND)}s`;
  return `${Math.floor(lengthMs / SECOND)}s`;
}

/** The next 00:00 UTC. */
export function nextMidnightMs(nowMs: number): number {
  return (Math.floor(nowMs / DAY) + 1) * DAY;
}

/** The next Monday, 00:00 UTC. Weeks are counted from 1970-01-05, which was the first Monday of Unix time. */
export function nextMondayMs(nowMs: number): number {
  const week = 7 * DAY;
  const firstMonday = 4 * DAY;
  return (Math.floor((nowMs - firstMonday) / week) + 1) * week + firstMonday;
}

/** The first and the last day, `2026-01-05 – 2026-01-12`. When both are the same day, the times of day are added. */
export function periodText(startMs: number, endMs: number): string {
  const [first, last] = [dayText(startMs), dayText(endMs)];
  return first === last ? `${timeText(startMs)} – ${clockText(endMs)}` : `${first} – ${last}`;
}

/**
 * Local time in the zones of the markets, by the daylight-saving rules in force: those of New York since 2007, the
 * European ones since 1996. Earlier years are computed with the same rules.
 */
import { type UnixMs, unixMs } from "../units.ts";
import { civilDateOf, dayNumberOf, weekdayOf } from "./civil-date.ts";
import { DAY_MS } from "./utc-day.ts";

/** The time zones that sessions use. This file contains their daylight-saving rules. */
export type ZoneName =
  | "UTC"
  | "America/New_York"
  | "Europe/London"
  | "Europe/Berlin"
  | "Asia/Tokyo";

/** A local date and time of day. */
export interface LocalTime {
  /** Whole days since 1970-01-01 in the local calendar. */
  readonly dayNumber: number;
  /** The day of the week; 0 is Sunday. */
  readonly weekday: number;
  /** Whole minutes since local midnight. */
  readonly minute: number;
}

/** The beginning and the end of summer time in a year, as UTC times in milliseconds. */
interface SummerTime {
  readonly fromMs: number;
  readonly toMs: number;
}

interface Zone {
  readonly standardMinutes: number;
  readonly summerOf: ((year: number) => SummerTime) | null;
}

const HOUR_MS = 3_600_000;
const MINUTE_MS = 60_000;
const SUMMER_MINUTES = 60;

const ZONES: Readonly<Record<ZoneName, Zone>> = {
  UTC: { standardMinutes: 0, summerOf: null },
  "America/New_York": { standardMinutes: -300, summerOf: newYorkSummer },
  "Europe/London": { standardMinutes: 0, summerOf: europeanSummer },
  "Europe/Berlin": { standardMinutes: 60, summerOf: europeanSummer },
  "Asia/Tokyo": { standardMinutes: 540, summerOf: null },
};

export const ZONE_NAMES: readonly ZoneName[] = [
  "UTC",
  "America/New_York",
  "Europe/London",
  "Europe/Berlin",
  "Asia/Tokyo",
];

/** The minutes by which local time is ahead of UTC at this time. */
export function utcOffsetMinutes(zone: ZoneName, at: UnixMs): number {
  const { standardMinutes, summerOf } = ZONES[zone];
  if (summerOf === null) return standardMinutes;
  const { fromMs, toMs } = summerOf(civilDateOf(Math.floor(at / DAY_MS)).year);
  return at >= fromMs && at < toMs ? standardMinutes + SUMMER_MINUTES : standardMinutes;
}

/** The local date and time of a zone at this time. */
export function localTime(zone: ZoneName, at: UnixMs): LocalTime {
  const wallMs = at + utcOffsetMinutes(zone, at) * MINUTE_MS;
  const dayNumber = Math.floor(wallMs / DAY_MS);
  return {
    dayNumber,
    weekday: weekdayOf(dayNumber),
    minute: Math.floor((wallMs - dayNumber * DAY_MS) / MINUTE_MS),
  };
}

/**
 * The time at which local clocks show this minute of this day. When they show it twice, in autumn, it is the first
 * time. When they skip it, in spring, it is computed with the offset of standard time.
 */
export function instantOfLocalTime(zone: ZoneName, dayNumber: number, minute: number): UnixMs {
  const wallMs = dayNumber * DAY_MS + minute * MINUTE_MS;
  const { standardMinutes, summerOf } = ZONES[zone];
  const summerMinutes = standardMinutes + (summerOf === null ? 0 : SUMMER_MINUTES);
  const asSummer = unixMs(wallMs - summerMinutes * MINUTE_MS);
  if (utcOffsetMinutes(zone, asSummer) === summerMinutes) return asSummer;
  return unixMs(wallMs - standardMinutes * MINUTE_MS);
}

/** Summer time of the USA: from the second Sunday of March to the first Sunday of November, at 02:00 local time. */
function newYorkSummer(year: number): SummerTime {
  return {
    fromMs: sundayOnOrAfter({ year, month: 3, day: 8 }) * DAY_MS + 7 * HOUR_MS,
    toMs: sundayOnOrAfter({ year, month: 11, day: 1 }) * DAY_MS + 6 * HOUR_MS,
  };
}

/** Summer time of Europe: from the last Sunday of March to the last Sunday of October, at 01:00 UTC everywhere. */
function europeanSummer(year: number): SummerTime {
  return {
    fromMs: sundayOnOrAfter({ year, month: 3, day: 25 }) * DAY_MS + HOUR_MS,
    toMs: sundayOnOrAfter({ year, month: 10, day: 25 }) * DAY_MS + HOUR_MS,
  };
}

function sundayOnOrAfter(date: Parameters<typeof dayNumberOf>[0]): number {
  const dayNumber = dayNumberOf(date);
  return dayNumber + ((7 - weekdayOf(dayNumber)) % 7);
}

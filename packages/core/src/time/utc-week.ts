import { type UnixMs, unixMs } from "../units.ts";
import { DAY_MS } from "./utc-day.ts";

const WEEK_MS = 7 * DAY_MS;
/** The Monday before 1970-01-01, which was a Thursday. */
const FIRST_MONDAY_MS = -3 * DAY_MS;

/** The Monday 00:00 UTC at or before `at`. @rule D7.week decides */
export function startOfUtcWeek(at: UnixMs): UnixMs {
  const weeks = Math.floor((at - FIRST_MONDAY_MS) / WEEK_MS);
  return unixMs(FIRST_MONDAY_MS + weeks * WEEK_MS);
}

/** The first Monday 00:00 UTC strictly after `at`. At a Monday's 00:00 itself it is the Monday a week later. */
export function nextUtcMonday(at: UnixMs): UnixMs {
  return unixMs(startOfUtcWeek(at) + WEEK_MS);
}

import { type UnixMs, unixMs } from "../units.ts";

export const DAY_MS = 86_400_000;

/** The 00:00 UTC at or before `at`. */
export function startOfUtcDay(at: UnixMs): UnixMs {
  return unixMs(Math.floor(at / DAY_MS) * DAY_MS);
}

/** The first 00:00 UTC strictly after `at`. */
export function nextUtcMidnight(at: UnixMs): UnixMs {
  return unixMs(startOfUtcDay(at) + DAY_MS);
}

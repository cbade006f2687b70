/** 2000-01-01 and 2100-01-01, UTC. A time outside this range is assumed to be a mistake of the client. */
const EARLIEST_MS = 946_684_800_000;
const LATEST_MS = 4_102_444_800_000;

/** Units that people send by mistake, and how many of each one make a millisecond. */
const UNITS = [
  ["seconds", 0.001],
  ["microseconds", 1_000],
  ["nanoseconds", 1_000_000],
] as const;

export type MistakenUnit = (typeof UNITS)[number][0];

/** True for Unix milliseconds from 2000 to 2100. */
export function isTimeMs(value: number): boolean {
  return value >= EARLIEST_MS && value <= LATEST_MS;
}

/**
 * The unit in which the number would be a time from 2000 to 2100, when that is not milliseconds. Null when no unit
 * fits.
 */
export function mistakenUnit(value: number): MistakenUnit | null {
  return UNITS.find(([, perMs]) => isTimeMs(value / perMs))?.[0] ?? null;
}

/**
 * Why the number is not a time, as a text that follows the name of its field. Null when it is a time in Unix
 * milliseconds.
 */
export function timeProblem(value: number, text: string): string | null {
  if (isTimeMs(value)) return null;
  const unit = mistakenUnit(value);
  return unit === null
    ? `must be a time in Unix milliseconds between 2000 and 2100, not ${text}`
    : `must be a time in Unix milliseconds between 2000 and 2100; ${text} looks like ${unit}`;
}

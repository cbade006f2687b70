import { DATABASE_NOW_MS } from "../stores/network/storable-text.ts";
import type { Queryable } from "./database.ts";

/** The maximum distance of two clocks of an installation; one that is farther away is wrong. */
export const CLOCK_SKEW_MAX_MS = 2_000;

const MS_PER_SECOND = 1_000;

/** The distance of two clocks in words that the name of the other clock has to follow: `3.1 s ahead of`. */
export function clockDistanceText(aheadMs: number): string {
  const seconds = (Math.abs(aheadMs) / MS_PER_SECOND).toFixed(1);
  return `${seconds} s ${aheadMs > 0 ? "ahead of" : "behind"}`;
}

/**
 * The minimum number of milliseconds by which the clock of a database is ahead of another database's; negative when it
 * is behind. The other clock is read before and after, so a difference that the duration of the statements can explain
 * counts as 0.
 */
export async function measureClockLeadMs(database: Queryable, other: Queryable): Promise<number> {
  const before = await clockOf(other);
  const now = await clockOf(database);
  const after = await clockOf(other);
  return now < before ? now - before : Math.max(0, now - after);
}

async function clockOf(database: Queryable): Promise<number> {
  const [row] = await database.query<{ readonly now: string }>(
    `select ${DATABASE_NOW_MS} as now`,
    [],
  );
  return Number(row?.now);
}

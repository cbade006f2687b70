import { DATABASE_NOW_MS } from "../stores/network/storable-text.ts";
import type { Queryable } from "./database.ts";

/** The maximum difference between two clocks of an installation. A clock that differs by more is wrong. */
export const CLOCK_SKEW_MAX_MS = 2_000;

const MS_PER_SECOND = 1_000;

/** The difference of two clocks in words: `3.1 s ahead of`. The caller appends the name of the other clock. */
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

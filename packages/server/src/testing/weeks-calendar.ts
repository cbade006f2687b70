/** The times at which work is due in the test of many weeks. */
const DAY_MS = 86_400_000;
const HOUR_MS = 3_600_000;
const WEEK_MS = 7 * DAY_MS;
/** The Monday from which weeks are counted, 00:00 UTC. */
const A_MONDAY_MS = Date.UTC(2026, 0, 5);

export function isMonday(midnightMs: number): boolean {
  return (midnightMs - A_MONDAY_MS) % WEEK_MS === 0;
}

/** The first Monday 00:00 UTC strictly after a time. */
export function mondayAfter(atMs: number): number {
  return A_MONDAY_MS + (Math.floor((atMs - A_MONDAY_MS) / WEEK_MS) + 1) * WEEK_MS;
}

/** The next carry of a pair after a time: crypto every eight hours, forex at 21:00 UTC on weekdays, a share never. */
export function carryMsAfter(pair: string, after: number): number {
  if (pair === "AAPL") return Number.POSITIVE_INFINITY;
  if (pair === "BTCUSD") return (Math.floor(after / (8 * HOUR_MS)) + 1) * 8 * HOUR_MS;
  let atMs = after - (after % DAY_MS) + 21 * HOUR_MS;
  while (atMs <= after || isWeekend(atMs)) atMs += DAY_MS;
  return atMs;
}

/** The days that a carry charges. Wednesday's charge is for three days. */
export function carryDays(atMs: number): number {
  return new Date(atMs).getUTCDay() === 3 ? 3 : 1;
}

function isWeekend(atMs: number): boolean {
  const day = new Date(atMs).getUTCDay();
  return day === 0 || day === 6;
}

import type { AccountState } from "../state/account.ts";
import { type MicroUsd, type Percent, percent, subtractUsd } from "../units.ts";

/** The profit or loss of the account's day so far. */
export interface Today {
  /** After costs. Payouts do not change the equity, so they are not part of the figure. */
  readonly pnl: MicroUsd;
  /** Relative to the equity at the day's start; null when that is not above zero. */
  readonly pct: Percent | null;
}

/**
 * From the equity at the start of the day, which is the size on the first day and after a restart at a size. Null for
 * an account that has no day: it has not started or has ended.
 * @rule D13.todayPnl decides
 */
export function todayOf(
  { status, day }: Pick<AccountState, "status" | "day">,
  equity: MicroUsd,
): Today | null {
  if (status !== "active") return null;
  const { startEquity: start } = day;
  const pnl = subtractUsd(equity, start);
  return { pnl, pct: start > 0 ? percent((pnl * 100) / start) : null };
}

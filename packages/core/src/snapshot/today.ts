import type { AccountState } from "../state/account.ts";
import { type MicroUsd, type Percent, percent, subtractUsd } from "../units.ts";

/** The profit or loss of the account's day so far. */
export interface TodayPnl {
  /**
   * The change of equity since the day's start, after fees. Payouts do not change the equity, so the figure does not
   * include them.
   */
  readonly pnl: MicroUsd;
  /** `pnl` in percent of the equity at the day's start; null when that equity is not above zero. */
  readonly pct: Percent | null;
}

/**
 * The profit since the start of the day. On the first day, and on a day with a restart, the equity at the start is the
 * size. Null for an account that has no day, because it is not provisioned or has ended. @rule D13.todayPnl decides
 */
export function todayPnlOf(
  { status, day }: Pick<AccountState, "status" | "day">,
  equity: MicroUsd,
): TodayPnl | null {
  if (status !== "active") return null;
  const { startEquity: start } = day;
  const pnl = subtractUsd(equity, start);
  return { pnl, pct: start > 0 ? percent((pnl * 100) / start) : null };
}

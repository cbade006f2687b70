import type { AccountState, DailyReturn, Day } from "../state/account.ts";
import { balanceOf } from "../state/balance.ts";
import type { Event } from "../state/event.ts";
import {
  type MicroUsd,
  microUsd,
  type Percent,
  percent,
  type Ratio,
  ratio,
  type UnixMs,
} from "../units.ts";

export interface Midnight {
  /** 00:00 UTC, when one day ends and the next begins. */
  readonly midnightMs: UnixMs;
  /** At the first prices after that midnight. */
  readonly equity: MicroUsd;
}

/**
 * Sets the day's start equity, the end-of-day equity, which is fixed for the day, and the high-water
 * mark, which never falls. @rule D7.highWater decides
 */
export function dayEndedAt(
  state: Pick<AccountState, "endOfDay">,
  { midnightMs, equity }: Midnight,
): Pick<AccountState, "day" | "endOfDay"> {
  return {
    day: { startMs: midnightMs, startEquity: equity, earlierReturn: ratio(0) },
    endOfDay: {
      equity,
      highWater: microUsd(Math.max(state.endOfDay.highWater, equity)),
    },
  };
}

/**
 * The return of the day that the event ends, at a midnight or with the account; null when it ends none. So the days of
 * an account multiply to its whole return. @rule D4.dailyReturns D13.lastDay decides
 */
export function endedDay(before: AccountState, event: Event): DailyReturn | null {
  if (event.type === "dayEnded") return dailyReturn(before.day, event.equity);
  if (event.type === "accountEliminated") return lastDay(before, event.elimination.atMs);
  return event.type === "accountClosed" ? lastDay(before, event.atMs) : null;
}

/** Nothing is open at the end of an account. An end exactly at midnight adds no day, unless it changed the balance. */
function lastDay(before: AccountState, atMs: UnixMs): DailyReturn | null {
  if (before.status !== "active") return null;
  const day = dailyReturn(before.day, balanceOf(before));
  return atMs === day.dayStartMs && day.percent === 0 ? null : day;
}

function dailyReturn(day: Day, equity: MicroUsd): DailyReturn {
  return { dayStartMs: day.startMs, percent: asPercent(returnedSoFar(day, equity)) };
}

/**
 * Return from the last midnight to this equity. When the account restarted within the day, the
 * returns before and after the restart are compounded. A day that starts at zero returns 0.
 */
export function returnedSoFar({ startEquity, earlierReturn }: Day, equity: MicroUsd): Ratio {
  const since = startEquity > 0 ? (equity - startEquity) / startEquity : 0;
  return ratio(earlierReturn === 0 ? since : (1 + earlierReturn) * (1 + since) - 1);
}

function asPercent(share: Ratio): Percent {
  return percent(share * 100);
}

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

/** A midnight, with the equity at the end of the day. */
export interface Midnight {
  /** 00:00 UTC, when one day ends and the next begins. */
  readonly midnightMs: UnixMs;
  /** The equity at the first prices after that midnight that may judge the account. */
  readonly equity: MicroUsd;
}

/**
 * The next day and the end-of-day figures after a midnight. The end-of-day equity is fixed for the day. The high-water
 * mark, which starts at the size, rises to a higher equity and never falls. @rule D7.highWater decides
 */
export function figuresAfterMidnight(
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
 * The return of the day that ends with the event, at midnight or when the account ends; null when the event ends no
 * day. It is the change from the equity at the start of the day to the equity at its end. The compounded daily returns
 * of an account are its whole return. @rule D4.dailyReturns D13.lastDay decides
 */
export function endedDayReturn(before: AccountState, event: Event): DailyReturn | null {
  if (event.type === "dayEnded") return dailyReturn(before.day, event.equity);
  if (event.type === "accountEliminated") return lastDay(before, event.elimination.atMs);
  return event.type === "accountClosed" ? lastDay(before, event.atMs) : null;
}

/**
 * The return of the last day of an account, which has no open position by then. Null when the account was not active,
 * and when it ended exactly at midnight without a change of the balance since.
 */
function lastDay(before: AccountState, atMs: UnixMs): DailyReturn | null {
  if (before.status !== "active") return null;
  const day = dailyReturn(before.day, balanceOf(before));
  return atMs === day.dayStartMs && day.percent === 0 ? null : day;
}

function dailyReturn(day: Day, equity: MicroUsd): DailyReturn {
  return { dayStartMs: day.startMs, percent: toPercent(dayReturnSoFar(day, equity)) };
}

/**
 * The return from the last midnight to this equity. When the account restarted within the day, the returns before and
 * after the restart are compounded. A day that starts at zero or below returns 0 since its start.
 */
export function dayReturnSoFar({ startEquity, earlierReturn }: Day, equity: MicroUsd): Ratio {
  const since = startEquity > 0 ? (equity - startEquity) / startEquity : 0;
  return ratio(earlierReturn === 0 ? since : (1 + earlierReturn) * (1 + since) - 1);
}

function toPercent(share: Ratio): Percent {
  return percent(share * 100);
}

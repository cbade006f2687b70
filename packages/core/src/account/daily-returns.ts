import {
  type MicroUsd,
  microUsd,
  type Percent,
  percent,
  type Ratio,
  ratio,
  type UnixMs,
} from "../units.ts";
import type { AccountState, DailyReturn, Day } from "./account.ts";

export interface Midnight {
  /** 00:00 UTC: the day that was running ends, the next begins. */
  readonly midnightMs: UnixMs;
  /** As of the first prices from that midnight on. */
  readonly equity: MicroUsd;
}

/**
 * What a midnight changes: the day's start equity, the end-of-day equity that is frozen through
 * the day, and the high-water mark, which never falls.
 * @rule D7.highWater
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

/** The day that a midnight ends, for the account's history. @rule D4.dailyReturns */
export function dailyReturn(day: Day, { equity }: Midnight): DailyReturn {
  return { dayStartMs: day.startMs, percent: asPercent(returnedSoFar(day, equity)) };
}

/**
 * From the midnight before to this equity. Where the account began again within the day, the
 * return before and the one after are compounded. A day that starts with nothing has none.
 */
export function returnedSoFar({ startEquity, earlierReturn }: Day, equity: MicroUsd): Ratio {
  const since = startEquity > 0 ? (equity - startEquity) / startEquity : 0;
  return ratio(earlierReturn === 0 ? since : (1 + earlierReturn) * (1 + since) - 1);
}

function asPercent(share: Ratio): Percent {
  return percent(share * 100);
}

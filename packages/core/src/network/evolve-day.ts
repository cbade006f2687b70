import type { AccountState } from "../account/account.ts";
import { microUsd, percent } from "../units.ts";
import type { DayEnded } from "./event.ts";

/**
 * Midnight's figures, frozen through the day that begins: its start equity, the end-of-day equity
 * and the high-water mark, which never falls. @rule D7.highWater @rule D4.dailyReturns
 */
export function endDay(state: AccountState, event: DayEnded): AccountState {
  const { startMs, startEquity } = state.day;
  const gained = ((event.equity - startEquity) / startEquity) * 100;
  return {
    ...state,
    day: { startMs: event.midnightMs, startEquity: event.equity },
    endOfDay: {
      equity: event.equity,
      highWater: microUsd(Math.max(state.endOfDay.highWater, event.equity)),
    },
    dailyReturns: [...state.dailyReturns, { dayStartMs: startMs, percent: percent(gained) }],
  };
}

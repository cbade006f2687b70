import { type MicroUsd, microUsd, type Percent, percent, type UnixMs } from "../units.ts";
import type { AccountState } from "./account.ts";

export interface Midnight {
  /** 00:00 UTC: the day that was running ends, the next begins. */
  readonly midnightMs: UnixMs;
  /** As of the first prices from that midnight on. */
  readonly equity: MicroUsd;
}

/**
 * What a midnight changes: the day's start equity, the end-of-day equity that is frozen through
 * the day, the high-water mark, which never falls, and one more daily return.
 * @rule D7.highWater D4.dailyReturns
 */
export function dayEndedAt(
  state: Pick<AccountState, "day" | "endOfDay" | "dailyReturns">,
  { midnightMs, equity }: Midnight,
): Pick<AccountState, "day" | "endOfDay" | "dailyReturns"> {
  const { startMs, startEquity } = state.day;
  return {
    day: { startMs: midnightMs, startEquity: equity },
    endOfDay: {
      equity,
      highWater: microUsd(Math.max(state.endOfDay.highWater, equity)),
    },
    dailyReturns: [
      ...state.dailyReturns,
      { dayStartMs: startMs, percent: returnPct(startEquity, equity) },
    ],
  };
}

/** A day that starts with nothing, or less, has no return. */
function returnPct(from: MicroUsd, to: MicroUsd): Percent {
  return percent(from > 0 ? ((to - from) * 100) / from : 0);
}

import { profitOf } from "../challenge/target.ts";
import type { AccountState } from "../state/account.ts";
import { balanceOf } from "../state/balance.ts";
import type { ProStatistics, ProTrack } from "../state/pro-track.ts";
import { type MicroUsd, type Ratio, ratio, statisticRatio } from "../units.ts";
import { calmarOf, consistencyOf, drawdownBelow } from "./statistics.ts";

export interface Objective {
  readonly key: "return" | "calmar" | "consistency" | "days";
  /** Null while it is unknown. */
  readonly value: number | null;
  readonly threshold: number;
  readonly higherIsBetter: boolean;
  /** Null while the value is unknown. */
  readonly met: boolean | null;
}

/** The statistics at this equity, including a drawdown that no event has recorded yet. */
export function statisticsAt(
  statistics: ProStatistics,
  { endOfDay }: Pick<AccountState, "endOfDay">,
  equity: MicroUsd,
): ProStatistics {
  const now = drawdownBelow(endOfDay.highWater, equity);
  return { ...statistics, maxDrawdown: ratio(Math.max(statistics.maxDrawdown, now)) };
}

/** The objectives at this equity, whose drawdown counts. @rule S2.1.1.objectives */
export function objectivesAt(
  state: AccountState,
  track: ProTrack,
  equity: MicroUsd,
): readonly Objective[] {
  const statistics =
    track.statistics === null ? null : statisticsAt(track.statistics, state, equity);
  return objectivesOf(state, { ...track, statistics }, equity);
}

/**
 * The objectives of a pro account with these statistics, in the order of the list. Return and days are known from the
 * first day, the Calmar ratio and consistency from the first full day. All are unknown before the pro
 * account has started. @rule S2.1.1.objectives decides
 */
export function objectivesOf(
  state: AccountState,
  { objectives, statistics }: Pick<ProTrack, "objectives" | "statistics">,
  equity: MicroUsd,
): readonly Objective[] {
  const returned = returnOf(state, equity);
  return [
    atLeast("return", statistics === null ? null : returned, objectives.returnRatio),
    atLeast(
      "calmar",
      statistics === null ? null : calmarOf(statistics, realizedReturnOf(state), objectives),
      objectives.calmar,
    ),
    atMost(
      "consistency",
      statistics === null ? null : consistencyOf(statistics),
      objectives.consistency,
    ),
    atLeast("days", statistics === null ? null : statistics.tradingDays, objectives.tradingDays),
  ];
}

/** Return on the present size, from the lower of balance and equity. @rule S2.1.1.objectives */
function returnOf(state: AccountState, equity: MicroUsd): Ratio {
  return statisticRatio(profitOf(state, equity) / state.terms.size);
}

/** Realized return after fees on the present size; open positions do not count. @rule D10.calmar decides */
function realizedReturnOf(state: AccountState): Ratio {
  return statisticRatio((balanceOf(state) - state.terms.size) / state.terms.size);
}

function atLeast(key: Objective["key"], value: number | null, threshold: number): Objective {
  return {
    key,
    value,
    threshold,
    higherIsBetter: true,
    met: value === null ? null : value >= threshold,
  };
}

function atMost(key: Objective["key"], value: number | null, threshold: number): Objective {
  return {
    key,
    value,
    threshold,
    higherIsBetter: false,
    met: value === null ? null : value <= threshold,
  };
}

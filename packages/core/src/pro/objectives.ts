import { profitOf } from "../challenge/target.ts";
import type { AccountState } from "../state/account.ts";
import { balanceOf } from "../state/balance.ts";
import type { ProStatistics, ProTrack } from "../state/pro-track.ts";
import { type MicroUsd, type Ratio, ratio, statisticRatio } from "../units.ts";
import { calmarOf, consistencyOf, drawdownBelow } from "./statistics.ts";

/** One objective of the pro challenge, with its present value. */
export interface Objective {
  readonly key: "return" | "calmar" | "consistency" | "days";
  /** The present value; null while it is unknown. */
  readonly value: number | null;
  readonly threshold: number;
  readonly higherIsBetter: boolean;
  /** Whether the value meets the threshold; null while the value is unknown. */
  readonly met: boolean | null;
}

/** The statistics at this equity. The drawdown at this equity counts, even before an event has recorded it. */
export function statisticsAt(
  statistics: ProStatistics,
  { endOfDay }: Pick<AccountState, "endOfDay">,
  equity: MicroUsd,
): ProStatistics {
  const now = drawdownBelow(endOfDay.highWater, equity);
  return { ...statistics, maxDrawdown: ratio(Math.max(statistics.maxDrawdown, now)) };
}

/**
 * The objectives at this equity. The drawdown at this equity counts, even before an event has recorded it.
 * @rule S2.1.1.objectives
 */
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
 * The objectives of a pro account with these statistics, in a fixed order. Return and days are known from the start of
 * the pro account. The Calmar ratio is known after the first full day. Consistency is known when, in addition, the sum
 * of the days is above zero. All are unknown before the pro account has started. @rule S2.1.1.objectives decides
 */
export function objectivesOf(
  state: AccountState,
  { objectives, statistics }: Pick<ProTrack, "objectives" | "statistics">,
  equity: MicroUsd,
): readonly Objective[] {
  const returned = returnOf(state, equity);
  return [
    minObjective("return", statistics === null ? null : returned, objectives.returnRatio),
    minObjective(
      "calmar",
      statistics === null ? null : calmarOf(statistics, realizedReturnOf(state), objectives),
      objectives.calmar,
    ),
    maxObjective(
      "consistency",
      statistics === null ? null : consistencyOf(statistics),
      objectives.consistency,
    ),
    minObjective(
      "days",
      statistics === null ? null : statistics.tradingDays,
      objectives.tradingDays,
    ),
  ];
}

/** The return on the size of the present phase, from the lower of balance and equity. @rule S2.1.1.objectives */
function returnOf(state: AccountState, equity: MicroUsd): Ratio {
  return statisticRatio(profitOf(state, equity) / state.terms.size);
}

/**
 * The numerator of the Calmar ratio: (balance - size) / size, where `terms.size` is the pro size once the pro account
 * has started. The balance includes fees and no open profit or loss. `calmarOf` divides it by the drawdown.
 * @rule D10.calmar decides
 */
function realizedReturnOf(state: AccountState): Ratio {
  return statisticRatio((balanceOf(state) - state.terms.size) / state.terms.size);
}

function minObjective(key: Objective["key"], value: number | null, threshold: number): Objective {
  return {
    key,
    value,
    threshold,
    higherIsBetter: true,
    met: value === null ? null : value >= threshold,
  };
}

function maxObjective(key: Objective["key"], value: number | null, threshold: number): Objective {
  return {
    key,
    value,
    threshold,
    higherIsBetter: false,
    met: value === null ? null : value <= threshold,
  };
}

import type { AccountState } from "../account/account.ts";
import { profitOf } from "../challenge/target.ts";
import { type MicroUsd, type Ratio, ratio, statisticRatio } from "../units.ts";
import { calmarOf, consistencyOf, drawdownBelow } from "./statistics.ts";
import type { ProStatistics, ProTrack } from "./track.ts";

export interface Objective {
  readonly key: "return" | "calmar" | "consistency" | "days";
  /** Null while it is unknown. */
  readonly value: number | null;
  readonly threshold: number;
  readonly higherIsBetter: boolean;
  /** Null while the value is unknown. */
  readonly met: boolean | null;
}

/** The statistics at this equity: a drawdown that no event has recorded yet counts as well. */
export function statisticsAt(
  statistics: ProStatistics,
  { endOfDay }: Pick<AccountState, "endOfDay">,
  equity: MicroUsd,
): ProStatistics {
  const now = drawdownBelow(endOfDay.highWater, equity);
  return { ...statistics, maxDrawdown: ratio(Math.max(statistics.maxDrawdown, now)) };
}

/**
 * What a pro account has to reach, in the order in which it is listed. Return and days are known
 * from the first day, the Calmar ratio and consistency from the first full one; nothing is known
 * before the pro account has started.
 * @rule S2.1.1.objectives
 */
export function objectivesAt(
  state: AccountState,
  track: ProTrack,
  equity: MicroUsd,
): readonly Objective[] {
  const { objectives } = track;
  const statistics =
    track.statistics === null ? null : statisticsAt(track.statistics, state, equity);
  const returned = returnOf(state, equity);
  return [
    atLeast("return", statistics === null ? null : returned, objectives.returnRatio),
    atLeast(
      "calmar",
      statistics === null ? null : calmarOf(statistics, returned, objectives),
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

/** On the size the account runs, by the lesser of balance and equity. @rule S2.1.1.objectives */
export function returnOf(state: AccountState, equity: MicroUsd): Ratio {
  return statisticRatio(profitOf(state, equity) / state.terms.size);
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

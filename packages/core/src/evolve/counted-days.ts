import type { ProStatistics } from "../state/pro-track.ts";
import type { ProObjectives } from "../state/terms.ts";
import { type Ratio, ratio, statisticRatio, type UnixMs } from "../units.ts";

/** The statistics at the start of a pro account. */
export const INITIAL_STATISTICS: ProStatistics = {
  firstTradeAtMs: null,
  tradingDays: 0,
  bestDay: ratio(0),
  sumOfDays: ratio(0),
  maxDrawdown: ratio(0),
};

/** A UTC day that has ended, with its return. `countDay` checks whether it is a full day of the pro account. */
export interface FullDay {
  readonly dayStartMs: UnixMs;
  readonly dayReturn: Ratio;
}

/**
 * The statistics after a day. Only a full UTC day that began at or after the first trade counts. A gain counts with at
 * most `countedDayGain` (1.5 %). @rule D7.consistency @rule S2.1.tradingDays decides
 */
export function countDay(
  statistics: ProStatistics,
  { dayStartMs, dayReturn }: FullDay,
  { countedDayGain }: ProObjectives,
): ProStatistics {
  const { firstTradeAtMs, tradingDays, bestDay, sumOfDays } = statistics;
  if (firstTradeAtMs === null || dayStartMs < firstTradeAtMs) return statistics;
  const counted = statisticRatio(Math.min(dayReturn, countedDayGain));
  return {
    ...statistics,
    tradingDays: tradingDays + 1,
    bestDay: ratio(Math.max(bestDay, counted)),
    sumOfDays: statisticRatio(sumOfDays + counted),
  };
}

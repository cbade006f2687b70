import type { ProObjectives } from "../rules/terms.ts";
import { type MicroUsd, type Ratio, ratio, statisticRatio, type UnixMs } from "../units.ts";
import type { ProStatistics } from "./track.ts";

/** Of a pro account that has just started. */
export const FIRST_STATISTICS: ProStatistics = {
  firstTradeAtMs: null,
  tradingDays: 0,
  bestDay: ratio(0),
  sumOfDays: ratio(0),
  maxDrawdown: ratio(0),
};

export interface FullDay {
  readonly dayStartMs: UnixMs;
  readonly dayReturn: Ratio;
}

/** Only full UTC days since the first trade count: not the one it fell into. @rule S2.1.tradingDays */
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

/** Null until a full day was tracked, and while the days together have won nothing. @rule D7.consistency */
export function consistencyOf({ tradingDays, bestDay, sumOfDays }: ProStatistics): Ratio | null {
  return tradingDays === 0 || sumOfDays <= 0 ? null : statisticRatio(bestDay / sumOfDays);
}

/** Null until a full day was tracked. @rule D7.calmar */
export function calmarOf(
  { tradingDays, maxDrawdown }: ProStatistics,
  returnRatio: Ratio,
  { leastDrawdown }: ProObjectives,
): Ratio | null {
  if (tradingDays === 0) return null;
  return statisticRatio(returnRatio / Math.max(maxDrawdown, leastDrawdown));
}

/** How far equity is below the end-of-day mark, as a share of it; 0 above. @rule D7.maxDrawdown */
export function drawdownBelow(highWater: MicroUsd, equity: MicroUsd): Ratio {
  return statisticRatio(Math.max(0, highWater - equity) / highWater);
}

import type { ProStatistics } from "../state/pro-track.ts";
import type { ProObjectives } from "../state/terms.ts";
import {
  MICRO_USD_MIN,
  type MicroUsd,
  microUsd,
  type Ratio,
  STATISTIC_STEPS,
  statisticRatio,
} from "../units.ts";

/**
 * The share of the best day in the sum of all full days, each with its counted gain (`countDay`). Null before the first
 * full day, and while the sum of the days is not above zero. @rule D7.consistency decides
 */
export function consistencyOf({ tradingDays, bestDay, sumOfDays }: ProStatistics): Ratio | null {
  return tradingDays === 0 || sumOfDays <= 0 ? null : statisticRatio(bestDay / sumOfDays);
}

/**
 * The realized return divided by the deepest drawdown, which counts as at least the objectives' minimum; null before
 * the first full day. @rule D10.calmar @rule D7.calmar decides
 */
export function calmarOf(
  { tradingDays, maxDrawdown }: ProStatistics,
  realizedReturn: Ratio,
  { leastDrawdown }: ProObjectives,
): Ratio | null {
  if (tradingDays === 0) return null;
  return statisticRatio(realizedReturn / Math.max(maxDrawdown, leastDrawdown));
}

/**
 * The drawdown below the end-of-day high-water mark, as a fraction of that high-water mark; 0 when equity is at the
 * high-water mark or above it.
 * @rule D7.maxDrawdown
 */
export function drawdownBelow(highWater: MicroUsd, equity: MicroUsd): Ratio {
  return statisticRatio(Math.max(0, highWater - equity) / highWater);
}

/**
 * The highest equity whose drawdown is deeper than `than`; null when no exact amount has a deeper drawdown.
 * @rule D7.maxDrawdown @rule D10.exactMoney
 */
export function highestEquityWithDeeperDrawdown(highWater: MicroUsd, than: Ratio): MicroUsd | null {
  const isDeeper = (equity: number) => drawdownBelow(highWater, microUsd(equity)) > than;
  if (!isDeeper(MICRO_USD_MIN)) return null;
  // Drawdowns are rounded to nine decimals, so a deeper one begins half a step further down. The computed equity may be
  // off by the rounding of the product, which the loops correct.
  let equity = microUsd(highWater - Math.ceil(highWater * (than + 0.5 / STATISTIC_STEPS)));
  while (isDeeper(equity + 1)) equity = microUsd(equity + 1);
  while (!isDeeper(equity)) equity = microUsd(equity - 1);
  return equity;
}

/** How much of each limit an account has used at its present equity, for lists of many accounts. */

import type { AccountState } from "../state/account.ts";
import { type MicroUsd, type Percent, percent } from "../units.ts";
import { type LimitFigures, limitFiguresNow } from "./limit.ts";
import { drawdownOf, LOSS_LIMITS } from "./registry.ts";

/** The use of a limit at the present equity, even of a limit that is only checked at the day's end. */
export interface LimitUsage extends Pick<LimitFigures, "rule" | "anchor" | "floor"> {
  /**
   * The lost part of the allowed loss, in percent: 75 is three quarters. At least 0, and above 100 when equity is below
   * the floor.
   */
  readonly usedOfLimitPct: Percent;
  /** The equity above the floor; negative below the floor. */
  readonly remainingNow: MicroUsd;
}

/**
 * The most used limit of an account: among all its limits, among its daily limits, and among its other limits. Each is
 * null when the account has no limit of that kind.
 */
export interface MostUsedLimits {
  readonly nearest: LimitUsage | null;
  readonly daily: LimitUsage | null;
  readonly other: LimitUsage | null;
}

/**
 * The limits whose allowed loss is used most at this equity. When several are equal, the first in the order of
 * `LOSS_LIMITS` counts. @rule D9.accountIndex @rule D9.nearestLimit decides
 */
export function mostUsedLimits(state: AccountState, equity: MicroUsd): MostUsedLimits {
  let nearest: LimitUsage | null = null;
  let daily: LimitUsage | null = null;
  let other: LimitUsage | null = null;
  for (const limit of drawdownOf(state, equity).limits) {
    const share = limitUsageOf(limit, equity);
    nearest = moreUsedLimit(nearest, share);
    if (LOSS_LIMITS[limit.rule].isDailyLimit) daily = moreUsedLimit(daily, share);
    else other = moreUsedLimit(other, share);
  }
  return { nearest, daily, other };
}

function moreUsedLimit(before: LimitUsage | null, next: LimitUsage): LimitUsage {
  return before === null || next.usedOfLimitPct > before.usedOfLimitPct ? next : before;
}

function limitUsageOf({ rule, anchor, floor }: LimitFigures, equity: MicroUsd): LimitUsage {
  const { remainingNow } = limitFiguresNow({ anchor, floor }, equity);
  const allowed = anchor - floor;
  const used = Math.max(0, anchor - equity);
  // The percentage is 0 when the limit allows no loss, because it cannot be computed. It is also 0 when the anchor is
  // zero or below, because the limit cannot be breached.
  const usedOfLimitPct = percent(allowed > 0 ? (used * 100) / allowed : 0);
  return { rule, anchor, floor, usedOfLimitPct, remainingNow };
}

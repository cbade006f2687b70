import type { AccountState, LossRule } from "../state/account.ts";
import type { DrawdownCriteria } from "../state/terms.ts";
import { type MicroUsd, microUsd, type Percent, percent, subtractUsd } from "../units.ts";

/**
 * The figures of one limit. `anchor` is the equity or size from which it is measured, `measured` the equity that is
 * compared with it.
 */
export interface LimitFigures {
  readonly rule: LossRule;
  /** Percent of the anchor that is lost at `measured`, at least 0. */
  readonly usedPct: Percent;
  readonly limitPct: Percent;
  readonly anchor: MicroUsd;
  readonly measured: MicroUsd;
  /** The allowed loss: anchor × limitPct, rounded down, so that anchor − allowed is the floor. */
  readonly allowed: MicroUsd;
  /** The loss: anchor − measured, never below zero. */
  readonly used: MicroUsd;
  /** The loss that is still allowed: allowed − used, never below zero. */
  readonly remaining: MicroUsd;
  /** The lowest equity that is not a breach. */
  readonly floor: MicroUsd;
}

/** The figures of every limit that binds the account, in the order of `LOSS_LIMITS`. @rule S2.1.2 */
export interface DrawdownFigures {
  readonly criteria: DrawdownCriteria | "pro";
  readonly limits: readonly LimitFigures[];
}

/** Percents of the terms have at most two decimals, so they are whole numbers of hundredths. */
const HUNDREDTHS = 100;

/** The loss that a limit allows: equity may fall at most `limitPct` percent below `anchor`. */
export interface Allowance {
  readonly rule: LossRule;
  readonly anchor: MicroUsd;
  readonly limitPct: Percent;
}

/** A loss limit: when it is checked, which accounts it binds, and how much loss it allows. */
export interface LossLimit {
  /** `live` limits are checked at every price, `endOfDay` ones once a day with the equity at 00:00 UTC. */
  readonly checked: "live" | "endOfDay";
  /** Whether its anchor is set anew each day, so that lists show it as the daily limit. */
  readonly isDailyLimit: boolean;
  readonly binds: (state: AccountState) => boolean;
  /**
   * The loss that the limit allows the account. It does not depend on the present equity, because prices move no floor.
   * So the equity that breaches the limit is known in advance.
   */
  readonly allows: (state: AccountState) => Allowance;
}

/**
 * The allowed, used and remaining loss of a limit at the measured equity, each at least 0. Views and checks use the
 * same figures. @rule D4.drawdown decides
 */
export function limitFigures(allowance: Allowance, measured: MicroUsd): LimitFigures {
  const { rule, anchor, limitPct } = allowance;
  const used = Math.max(0, anchor - measured);
  const floor = floorOf(allowance);
  // The allowed loss is rounded down to whole micro dollars. If it were rounded up, losing all of it would be a breach.
  const allowed = Math.max(0, anchor - floor);
  return {
    rule,
    usedPct: percentOf(used, anchor),
    limitPct,
    anchor,
    measured,
    allowed: microUsd(allowed),
    used: microUsd(used),
    remaining: microUsd(Math.max(0, allowed - used)),
    floor,
  };
}

/** The figures of a limit, judged at the present equity even when it is only checked at the day's end. */
export interface LimitFiguresNow {
  readonly equityNow: MicroUsd;
  /** The lost part of the anchor, in percent, at least 0. */
  readonly usedPctNow: Percent;
  /** The equity above the floor, so gains count; negative below the floor. */
  readonly remainingNow: MicroUsd;
}

/** The lost part of a limit's anchor and the distance to its floor, at this equity. @rule D12.limitNow decides */
export function limitFiguresNow(
  { anchor, floor }: Pick<LimitFigures, "anchor" | "floor">,
  equityNow: MicroUsd,
): LimitFiguresNow {
  const used = Math.max(0, anchor - equityNow);
  return {
    equityNow,
    usedPctNow: percentOf(used, anchor),
    remainingNow: subtractUsd(equityNow, floor),
  };
}

/**
 * The used amount in percent of the anchor; 0 for an anchor of zero or below, because such a limit cannot be breached.
 */
function percentOf(used: number, anchor: MicroUsd): Percent {
  return percent(anchor > 0 ? (used * 100) / anchor : 0);
}

/**
 * The highest equity that is a breach: one micro dollar below the floor, which itself is no breach. Null for an anchor
 * of zero or below, because such a limit cannot be breached. @rule D7.breach decides
 */
export function highestBreachingEquity(allowance: Allowance): MicroUsd | null {
  return canBeBreached(allowance) ? microUsd(floorOf(allowance) - 1) : null;
}

/** Whether this equity breaches the limit. @rule D7.breach */
export function isBreached(allowance: Allowance, measured: MicroUsd): boolean {
  const from = highestBreachingEquity(allowance);
  return from !== null && measured <= from;
}

/** False for an anchor of zero or below: such a limit allows every equity. @rule D7.breach */
export function canBeBreached({ anchor }: Pick<Allowance, "anchor">): boolean {
  return anchor > 0;
}

/**
 * The lowest equity that is not a breach: anchor × (1 − limit). It is computed in whole numbers: with a rounded
 * percent, 94,999.999999 of 100,000 would count as a loss of exactly 5 %. @rule D7.breach
 */
export function floorOf({ anchor, limitPct }: Allowance): MicroUsd {
  const scaled = anchor * Math.round(limitPct * HUNDREDTHS);
  const whole = 100 * HUNDREDTHS;
  return microUsd(anchor - (scaled - (scaled % whole)) / whole);
}

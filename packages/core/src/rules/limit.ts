import type { AccountState, LossRule } from "../state/account.ts";
import type { DrawdownCriteria } from "../state/terms.ts";
import {
  type MicroUsd,
  microUsd,
  type Percent,
  percent,
  roundMicroUsd,
  subtractUsd,
} from "../units.ts";

/** The figures of one limit. */
export interface LimitFigures {
  readonly rule: LossRule;
  /** Percent of the anchor that is lost at `measured`, at least 0. */
  readonly usedPct: Percent;
  readonly limitPct: Percent;
  readonly anchor: MicroUsd;
  readonly measured: MicroUsd;
  /** anchor × limitPct. */
  readonly allowed: MicroUsd;
  /** anchor − measured, never below zero. */
  readonly used: MicroUsd;
  /** allowed − used, never below zero. */
  readonly remaining: MicroUsd;
  /** The lowest equity that is not a breach. */
  readonly floor: MicroUsd;
}

/** Every limit that binds the account, in the order of `LOSS_LIMITS`. @rule S2.1.2 */
export interface DrawdownFigures {
  readonly criteria: DrawdownCriteria | "pro";
  readonly limits: readonly LimitFigures[];
}

/** Percents of the terms have at most two decimals, so in hundredths they are whole. */
const HUNDREDTHS = 100;

/** An account may fall at most `limitPct` below `anchor`. */
export interface Allowance {
  readonly rule: LossRule;
  readonly anchor: MicroUsd;
  readonly limitPct: Percent;
}

/** A loss limit: when it is checked, which accounts it binds, and how much loss it allows. */
export interface LossLimit {
  /** At every price, or once a day with the equity at 00:00 UTC. */
  readonly checked: "live" | "endOfDay";
  /** Whether its anchor is set anew each day, so that lists show it as the limit of the day. */
  readonly isOfDay: boolean;
  readonly binds: (state: AccountState) => boolean;
  /** Without an equity, because prices move no floor. So the equity that breaches is known before it comes. */
  readonly allows: (state: AccountState) => Allowance;
}

/** The figures of a limit; views and checks use the same ones. @rule D4.drawdown decides */
export function limitFigures(allowance: Allowance, measured: MicroUsd): LimitFigures {
  const { rule, anchor, limitPct } = allowance;
  const used = Math.max(0, anchor - measured);
  const allowed = Math.max(0, roundMicroUsd((anchor * limitPct) / 100));
  return {
    rule,
    usedPct: percentOf(used, anchor),
    limitPct,
    anchor,
    measured,
    allowed: microUsd(allowed),
    used: microUsd(used),
    remaining: microUsd(Math.max(0, allowed - used)),
    floor: floorOf(allowance),
  };
}

/** The figures of a limit if it were judged at the present equity, also one that is only judged at the day's end. */
export interface LimitNow {
  readonly equityNow: MicroUsd;
  /** Percent of the anchor that is lost, at least 0. */
  readonly usedPctNow: Percent;
  /** From the floor up to the equity: gains count, and it is negative below the floor. */
  readonly remainingNow: MicroUsd;
}

/** @rule D12.limitNow decides */
export function limitNow(
  { anchor, floor }: Pick<LimitFigures, "anchor" | "floor">,
  equityNow: MicroUsd,
): LimitNow {
  const used = Math.max(0, anchor - equityNow);
  return {
    equityNow,
    usedPctNow: percentOf(used, anchor),
    remainingNow: subtractUsd(equityNow, floor),
  };
}

/** 0 when the anchor is zero or below, because such a limit cannot be breached. */
function percentOf(used: number, anchor: MicroUsd): Percent {
  return percent(anchor > 0 ? (used * 100) / anchor : 0);
}

/**
 * The highest equity that breaches; exactly at the floor is not a breach. Null for an anchor of zero or below, which
 * cannot be breached.
 * @rule D7.breach decides
 */
export function breachedFrom(allowance: Allowance): MicroUsd | null {
  return canBeBreached(allowance) ? microUsd(floorOf(allowance) - 1) : null;
}

/** @rule D7.breach */
export function isBreached(allowance: Allowance, measured: MicroUsd): boolean {
  const from = breachedFrom(allowance);
  return from !== null && measured <= from;
}

/** @rule D7.breach */
export function canBeBreached({ anchor }: Pick<Allowance, "anchor">): boolean {
  return anchor > 0;
}

/**
 * anchor × (1 − limit), the lowest equity that is not a breach. Computed in whole numbers: with a
 * rounded percent, 94,999.999999 of 100,000 would count as exactly 5 %.
 * @rule D7.breach
 */
export function floorOf({ anchor, limitPct }: Allowance): MicroUsd {
  const scaled = anchor * Math.round(limitPct * HUNDREDTHS);
  const whole = 100 * HUNDREDTHS;
  return microUsd(anchor - (scaled - (scaled % whole)) / whole);
}

/** The list of loss limits: which accounts each one binds, and when it is checked. */
import { assert } from "../assert.ts";
import type { AccountState, LossRule, Phase } from "../state/account.ts";
import { highestUsd, type MicroUsd } from "../units.ts";
import { dailyLossAllowance } from "./daily-loss.ts";
import { endOfDayTrailingAllowance } from "./end-of-day-trailing.ts";
import {
  type Allowance,
  type DrawdownFigures,
  highestBreachingEquity,
  isBreached,
  type LimitFigures,
  type LossLimit,
  limitFigures,
} from "./limit.ts";
import { staticLossAllowance } from "./static-loss-limit.ts";

/**
 * All loss limits, in the order of precedence. `binds` tells which accounts have the limit: every account has the daily
 * one and, by its drawdown criteria, one of the other two. @rule D7.bothLimits @rule S2.1.2 decides
 */
export const LOSS_LIMITS: Readonly<Record<LossRule, LossLimit>> = {
  dailyLoss: { checked: "live", isDailyLimit: true, binds: () => true, allows: dailyLossAllowance },
  staticLoss: {
    checked: "live",
    isDailyLimit: false,
    binds: (state) => drawdownCriteriaOf(state) === "static",
    allows: staticLossAllowance,
  },
  endOfDayTrailing: {
    checked: "endOfDay",
    isDailyLimit: false,
    binds: (state) => drawdownCriteriaOf(state) !== "static",
    allows: endOfDayTrailingAllowance,
  },
};

const LIMITS_IN_ORDER: readonly LossLimit[] = Object.values(LOSS_LIMITS);

/** The allowances of the limits that bind the account and have this kind of check, in the order of precedence. */
export function allowancesOf(
  state: AccountState,
  checked: LossLimit["checked"],
): readonly Allowance[] {
  const allowances: Allowance[] = [];
  for (const limit of LIMITS_IN_ORDER) {
    if (limit.checked === checked && limit.binds(state)) allowances.push(limit.allows(state));
  }
  return allowances;
}

const PRO_PHASES: Readonly<Record<Phase, boolean>> = {
  challenge: false,
  funded: false,
  proTransition: false,
  proChallengeDirect: true,
  proChallengeFromStandard: true,
  proFunded: true,
};

/**
 * The drawdown criteria that bind the account. In the pro phases these are the pro criteria, which no program changes;
 * in other phases they are the criteria of the account's terms.
 */
export function drawdownCriteriaOf(
  state: Pick<AccountState, "phase" | "terms">,
): DrawdownFigures["criteria"] {
  return PRO_PHASES[state.phase] ? "pro" : state.terms.criteria;
}

/**
 * The figures of every limit that binds the account, with live limits measured at this equity and the others at the
 * equity of the last 00:00 UTC. @rule S2.1.2 @rule D4.limits decides
 */
export function drawdownOf(state: AccountState, equity: MicroUsd): DrawdownFigures {
  const binding = LIMITS_IN_ORDER.filter((limit) => limit.binds(state));
  return {
    criteria: drawdownCriteriaOf(state),
    limits: binding.map(({ checked, allows }) =>
      limitFigures(allows(state), checked === "live" ? equity : state.endOfDay.equity),
    ),
  };
}

/** The limits besides the daily one. The criteria of an account choose one of them. */
export type MaxLossRule = Extract<LossRule, "staticLoss" | "endOfDayTrailing">;

/** The figures of the limit besides the daily one. */
export type MaxLossFigures = LimitFigures & { readonly rule: MaxLossRule };

/** The figures of the daily loss limit, which binds every account. */
export function dailyLossOf({ limits }: DrawdownFigures): LimitFigures {
  const daily = limits.find(({ rule }) => rule === "dailyLoss");
  assert(daily !== undefined, "a daily loss limit");
  return daily;
}

/**
 * The figures of the limit besides the daily one: the static or the trailing limit, depending on the account's
 * criteria.
 */
export function maxLossOf({ limits }: DrawdownFigures): MaxLossFigures {
  const chosen = limits.find(isMaxLoss);
  assert(chosen !== undefined, "a limit that the criteria choose");
  return chosen;
}

function isMaxLoss(limit: LimitFigures): limit is MaxLossFigures {
  return limit.rule === "staticLoss" || limit.rule === "endOfDayTrailing";
}

/** The figures of the first limit that live equity breaches; null when there is none. @rule D7.breach D7.bothLimits */
export function liveBreach(state: AccountState, equity: MicroUsd): LimitFigures | null {
  return firstBreach(state, equity, "live");
}

/** The highest equity that breaches a live limit; null when none can be breached. @rule D7.breach */
export function highestLiveBreachingEquity(state: AccountState): MicroUsd | null {
  return highestUsd(allowancesOf(state, "live").map(highestBreachingEquity));
}

/**
 * The figures of the first end-of-day limit that the equity at the last 00:00 UTC breaches; null when there is none.
 */
export function dayEndBreach(state: AccountState): LimitFigures | null {
  return firstBreach(state, state.endOfDay.equity, "endOfDay");
}

/**
 * The figures of the first limit, in the order of precedence, that this equity breaches; null when it breaches none.
 * When one price breaches both limits, the daily loss limit is the first. @rule D7.bothLimits decides
 */
function firstBreach(
  state: AccountState,
  equity: MicroUsd,
  checked: LossLimit["checked"],
): LimitFigures | null {
  const breached = allowancesOf(state, checked).find((one) => isBreached(one, equity));
  return breached === undefined ? null : limitFigures(breached, equity);
}

/** The list of loss limits: which accounts each one binds, and when it is checked. */
import { assert } from "../assert.ts";
import type { AccountState, LossRule, Phase } from "../state/account.ts";
import { type MicroUsd, microUsd } from "../units.ts";
import { dailyLoss } from "./daily-loss.ts";
import { endOfDayTrailing } from "./end-of-day-trailing.ts";
import {
  canBeBreached,
  type DrawdownFigures,
  floorOf,
  isBreached,
  type LimitFigures,
  type LossLimit,
  limitFigures,
} from "./limit.ts";
import { staticLossLimit } from "./static-loss-limit.ts";

/**
 * All loss limits, in the order of precedence: when one price breaches several limits, the elimination names the
 * first of them. @rule S2.1.2 D7.bothLimits decides
 */
export const LOSS_LIMITS: Readonly<Record<LossRule, LossLimit>> = {
  dailyLoss: { checked: "live", binds: () => true, measure: dailyLoss },
  staticLoss: {
    checked: "live",
    binds: (state) => criteriaOf(state) === "static",
    measure: staticLossLimit,
  },
  endOfDayTrailing: {
    checked: "endOfDay",
    binds: (state) => criteriaOf(state) !== "static",
    measure: endOfDayTrailing,
  },
};

const IN_ORDER: readonly LossLimit[] = Object.values(LOSS_LIMITS);

const PRO_PHASES: Readonly<Record<Phase, boolean>> = {
  challenge: false,
  funded: false,
  proTransition: false,
  proChallengeDirect: true,
  proChallengeFromStandard: true,
  proFunded: true,
};

/** The criteria that bind the account now. In pro phases these are the pro criteria, for every program. */
export function criteriaOf(
  state: Pick<AccountState, "phase" | "terms">,
): DrawdownFigures["criteria"] {
  return PRO_PHASES[state.phase] ? "pro" : state.terms.criteria;
}

/** The figures of every limit that binds the account. @rule S2.1.2 @rule D4.limits decides */
export function drawdownOf(state: AccountState, equity: MicroUsd): DrawdownFigures {
  const binding = IN_ORDER.filter((limit) => limit.binds(state));
  return {
    criteria: criteriaOf(state),
    limits: binding.map((limit) => limitFigures(limit.measure(state, equity))),
  };
}

export type MaxLossRule = Extract<LossRule, "staticLoss" | "endOfDayTrailing">;

export type MaxLossFigures = LimitFigures & { readonly rule: MaxLossRule };

/** The daily loss limit, which binds every account. */
export function dailyLossOf({ limits }: DrawdownFigures): LimitFigures {
  const daily = limits.find(({ rule }) => rule === "dailyLoss");
  assert(daily !== undefined, "a daily loss limit");
  return daily;
}

/** The one limit that the account's criteria choose. */
export function maxLossOf({ limits }: DrawdownFigures): MaxLossFigures {
  const chosen = limits.find(isMaxLoss);
  assert(chosen !== undefined, "a limit that the criteria choose");
  return chosen;
}

function isMaxLoss(limit: LimitFigures): limit is MaxLossFigures {
  return limit.rule === "staticLoss" || limit.rule === "endOfDayTrailing";
}

/** The first limit that live equity breaches; null when there is none. @rule D7.breach D7.bothLimits */
export function liveBreach(state: AccountState, equity: MicroUsd): LimitFigures | null {
  return firstBreach(state, equity, "live");
}

/**
 * The highest floor of the limits that are checked at every price: the account ends below it. Null when no limit can
 * end it.
 */
export function liveFloor(state: AccountState, equity: MicroUsd): MicroUsd | null {
  if (state.status !== "active") return null;
  const floors = IN_ORDER.filter(({ checked, binds }) => checked === "live" && binds(state))
    .map(({ measure }) => measure(state, equity))
    .filter(canBeBreached)
    .map(floorOf);
  return floors.length === 0 ? null : microUsd(Math.max(...floors));
}

/** The first limit that the last midnight's equity breaches; null when there is none. */
export function dayEndBreach(state: AccountState): LimitFigures | null {
  return firstBreach(state, state.endOfDay.equity, "endOfDay");
}

function firstBreach(
  state: AccountState,
  equity: MicroUsd,
  checked: LossLimit["checked"],
): LimitFigures | null {
  for (const limit of IN_ORDER) {
    if (limit.checked !== checked || !limit.binds(state)) continue;
    const measure = limit.measure(state, equity);
    if (isBreached(measure)) return limitFigures(measure);
  }
  return null;
}

/**
 * Which limits bind which account, and when each is checked. The daily loss limit binds everybody;
 * the criteria name the other one.
 */
import type { AccountState, Phase } from "../account/account.ts";
import { equityOf, type MissingMark } from "../account/equity.ts";
import type { DrawdownFigures, LimitFigures } from "../account/snapshot.ts";
import type { PricedMarket } from "../market/valuation.ts";
import { ok, type Result } from "../result.ts";
import type { MicroUsd } from "../units.ts";
import { dailyLoss } from "./daily-loss.ts";
import { endOfDayTrailing } from "./end-of-day-trailing.ts";
import { isBreached, limitFigures, type Measure, WHEN_CHECKED } from "./limit.ts";
import { staticLossLimit } from "./static-loss-limit.ts";

type Limit = (state: AccountState, equity: MicroUsd) => Measure;

const OTHER_LIMITS: Readonly<Record<DrawdownFigures["criteria"], Limit>> = {
  static: staticLossLimit,
  trailing: endOfDayTrailing,
  pro: endOfDayTrailing,
};

const PRO_PHASES: Readonly<Record<Phase, boolean>> = {
  challenge: false,
  funded: false,
  proTransition: false,
  proChallengeDirect: true,
  proChallengeFromStandard: true,
  proFunded: true,
};

/** The rules that bind the account now; pro phases have their own, whatever it was sold with. */
export function criteriaOf(
  state: Pick<AccountState, "phase" | "terms">,
): DrawdownFigures["criteria"] {
  return PRO_PHASES[state.phase] ? "pro" : state.terms.criteria;
}

/** Both limits as they are shown; a breach is found in the same figures. @rule S2.1.2 */
export function drawdownOf(state: AccountState, equity: MicroUsd): DrawdownFigures {
  const criteria = criteriaOf(state);
  return {
    criteria,
    dailyLoss: limitFigures(dailyLoss(state, equity)),
    maxLoss: limitFigures(OTHER_LIMITS[criteria](state, equity)),
  };
}

/**
 * The first limit that live equity is beyond; of two the daily loss limit. Null: none is.
 * @rule D7.breach D7.bothLimits
 */
export function liveBreach(state: AccountState, equity: MicroUsd): LimitFigures | null {
  const daily = dailyLoss(state, equity);
  if (isBreached(daily)) return limitFigures(daily);
  return breachOf(state, { equity, checked: "live" });
}

/** `liveBreach` at the marks; refused while an open position cannot be valued. */
export function firstBreach(
  state: AccountState,
  market: PricedMarket,
): Result<LimitFigures | null, MissingMark> {
  const equity = equityOf(state, market);
  return equity.ok ? ok(liveBreach(state, equity.value)) : equity;
}

/** For the state that a midnight has just left: the limit that is checked once a day. */
export function dayEndBreach(state: AccountState): LimitFigures | null {
  return breachOf(state, { equity: state.endOfDay.equity, checked: "endOfDay" });
}

function breachOf(
  state: AccountState,
  { equity, checked }: { readonly equity: MicroUsd; readonly checked: "live" | "endOfDay" },
): LimitFigures | null {
  const other = OTHER_LIMITS[criteriaOf(state)](state, equity);
  return WHEN_CHECKED[other.rule] === checked && isBreached(other) ? limitFigures(other) : null;
}

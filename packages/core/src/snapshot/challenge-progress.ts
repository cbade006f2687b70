import { profitOf, profitTargetOf } from "../challenge/target.ts";
import { phaseTermsOf } from "../rules/phase-terms.ts";
import type { AccountState, Phase } from "../state/account.ts";
import { type MicroUsd, microUsd, type Percent, percent } from "../units.ts";

/**
 * True for the phases after a passed challenge. False for the phases of a pro challenge too, because an account in them
 * shows its progress towards the return objective.
 */
const IS_PASSED: Readonly<Record<Phase, boolean>> = {
  challenge: false,
  funded: true,
  proTransition: true,
  proChallengeDirect: false,
  proChallengeFromStandard: false,
  proFunded: true,
};

/** How far the account is in its challenge. */
export interface ChallengeProgress {
  readonly isPassed: boolean;
  readonly profitTarget: MicroUsd;
  readonly profitTargetPct: Percent;
  readonly profitRemaining: MicroUsd;
}

/**
 * The progress of a challenge. `profitRemaining` is the target minus the profit, at least 0. The profit is the lower of
 * balance and equity, minus the size. Without a target all figures are 0, as after the challenge.
 * @rule D4.remaining decides
 */
export function challengeProgress(state: AccountState, equity: MicroUsd): ChallengeProgress {
  const isPassed = IS_PASSED[state.phase];
  const target = isPassed ? null : profitTargetOf(state);
  const missing = target === null ? 0 : Math.max(0, target - profitOf(state, equity));
  return {
    isPassed,
    profitTarget: target ?? microUsd(0),
    profitTargetPct: (isPassed ? null : phaseTermsOf(state).profitTargetPct) ?? percent(0),
    profitRemaining: microUsd(missing),
  };
}

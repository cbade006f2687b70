import { profitOf, profitTargetOf } from "../challenge/target.ts";
import { phaseTermsOf } from "../rules/phase-terms.ts";
import type { AccountState, Phase } from "../state/account.ts";
import { type MicroUsd, microUsd, type Percent, percent } from "../units.ts";

/** Phases after a passed challenge; the pro challenge has its own objectives. */
const PASSED: Readonly<Record<Phase, boolean>> = {
  challenge: false,
  funded: true,
  proTransition: true,
  proChallengeDirect: false,
  proChallengeFromStandard: false,
  proFunded: true,
};

export interface ChallengeProgress {
  readonly isPassed: boolean;
  readonly profitTarget: MicroUsd;
  readonly profitTargetPct: Percent;
  readonly profitRemaining: MicroUsd;
}

/** `profitRemaining`: the target less the lower of balance and equity; 0 once passed. @rule D4.remaining decides */
export function challengeProgress(state: AccountState, equity: MicroUsd): ChallengeProgress {
  const isPassed = PASSED[state.phase];
  const target = isPassed ? null : profitTargetOf(state);
  const missing = target === null ? 0 : Math.max(0, target - profitOf(state, equity));
  return {
    isPassed,
    profitTarget: target ?? microUsd(0),
    profitTargetPct: (isPassed ? null : phaseTermsOf(state).profitTargetPct) ?? percent(0),
    profitRemaining: microUsd(missing),
  };
}

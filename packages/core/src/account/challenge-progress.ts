import { profitOf, profitTargetOf } from "../challenge/target.ts";
import { phaseTermsOf } from "../rules/phase-terms.ts";
import { type MicroUsd, microUsd, percent } from "../units.ts";
import type { AccountState, Phase } from "./account.ts";
import type { AccountSnapshot } from "./snapshot.ts";

/** Phases that come after a passed challenge; the pro challenge has its own to pass. */
const PASSED: Readonly<Record<Phase, boolean>> = {
  challenge: false,
  funded: true,
  proTransition: true,
  proChallengeDirect: false,
  proChallengeFromStandard: false,
  proFunded: true,
};

type Progress = Pick<
  AccountSnapshot,
  "isPassed" | "profitTarget" | "profitTargetPct" | "profitRemaining"
>;

/** How far the lesser of balance and equity is from the target; 0 once passed. @rule D4.remaining */
export function challengeProgress(state: AccountState, equity: MicroUsd): Progress {
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

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
export function challengeProgress(
  state: AccountState,
  now: { readonly balance: MicroUsd; readonly equity: MicroUsd },
): Progress {
  const { size } = state.terms;
  const isPassed = PASSED[state.phase];
  const targetPct = isPassed ? null : phaseTermsOf(state).profitTargetPct;
  const target = targetPct === null ? 0 : Math.round((size * targetPct) / 100);
  const gained = Math.min(now.balance, now.equity) - size;
  return {
    isPassed,
    profitTarget: microUsd(target),
    profitTargetPct: targetPct ?? percent(0),
    profitRemaining: microUsd(target === 0 ? 0 : Math.max(0, target - gained)),
  };
}

import type { AccountState, Phase } from "../account/account.ts";
import { balanceOf } from "../account/balance.ts";
import { phaseTermsOf } from "../rules/phase-terms.ts";
import { type MicroUsd, microUsd } from "../units.ts";

/** Phases whose profit target is all they ask; the pro challenge has objectives instead. */
const ENDS_AT_TARGET: Readonly<Record<Phase, boolean>> = {
  challenge: true,
  funded: false,
  proTransition: false,
  proChallengeDirect: false,
  proChallengeFromStandard: false,
  proFunded: false,
};

/** Profit that the phase asks for; null: it has no target. @rule D4.remaining */
export function profitTargetOf(state: Pick<AccountState, "phase" | "terms">): MicroUsd | null {
  const { profitTargetPct } = phaseTermsOf(state);
  if (profitTargetPct === null) return null;
  return microUsd(Math.round((state.terms.size * profitTargetPct) / 100));
}

/** What was won by both measures: the lesser of balance and equity, less the size. */
export function profitOf(
  state: Pick<AccountState, "terms" | "realized" | "fees">,
  equity: MicroUsd,
): MicroUsd {
  return microUsd(Math.min(balanceOf(state), equity) - state.terms.size);
}

/** Balance and equity have both reached the target; exactly at it is reached. @rule D7.pass */
export function hasReachedTarget(state: AccountState, equity: MicroUsd): boolean {
  const target = ENDS_AT_TARGET[state.phase] ? profitTargetOf(state) : null;
  return target !== null && profitOf(state, equity) >= target;
}

/** A better price alone may pass the account: its balance is there, its open positions are not. */
export function isHeldBackByOpenLoss(state: AccountState): boolean {
  return state.positions.length > 0 && hasReachedTarget(state, balanceOf(state));
}

import { phaseTermsOf } from "../rules/phase-terms.ts";
import type { AccountState, Phase } from "../state/account.ts";
import { balanceOf } from "../state/balance.ts";
import { addUsd, type MicroUsd, microUsd, roundMicroUsd } from "../units.ts";

/** The phases that the profit target ends; the pro challenge has objectives instead. */
const ENDS_AT_TARGET: Readonly<Record<Phase, boolean>> = {
  challenge: true,
  funded: false,
  proTransition: false,
  proChallengeDirect: false,
  proChallengeFromStandard: false,
  proFunded: false,
};

/** The profit that the phase requires; null when it has no target. @rule D4.remaining */
export function profitTargetOf(state: Pick<AccountState, "phase" | "terms">): MicroUsd | null {
  const { profitTargetPct } = phaseTermsOf(state);
  if (profitTargetPct === null) return null;
  return roundMicroUsd((state.terms.size * profitTargetPct) / 100);
}

/** The profit of the account: the lower of balance and equity, minus the size. */
export function profitOf(
  state: Pick<AccountState, "terms" | "realized" | "fees">,
  equity: MicroUsd,
): MicroUsd {
  return microUsd(Math.min(balanceOf(state), equity) - state.terms.size);
}

/**
 * The lowest equity that passes the phase. Null while the balance is below it, because balance and equity both have to
 * reach it, and in a phase that no target ends. @rule D7.pass decides
 */
export function lowestPassingEquity(state: AccountState): MicroUsd | null {
  const target = ENDS_AT_TARGET[state.phase] ? profitTargetOf(state) : null;
  if (target === null) return null;
  const from = addUsd(state.terms.size, target);
  return balanceOf(state) < from ? null : from;
}

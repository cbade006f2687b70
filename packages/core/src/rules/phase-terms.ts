import type { AccountState, Phase } from "../state/account.ts";
import type { PhaseTerms } from "../state/terms.ts";

/** The set of phase terms in the program that applies in each phase of an account. @rule D7.terms */
const TERMS_OF_PHASE: Readonly<Record<Phase, "challenge" | "funded">> = {
  challenge: "challenge",
  funded: "funded",
  // During the transition, the terms of the standard account still apply.
  proTransition: "funded",
  proChallengeDirect: "challenge",
  proChallengeFromStandard: "challenge",
  proFunded: "funded",
};

/** The target and limits that the program has for the account's phase. */
export function phaseTermsOf(state: Pick<AccountState, "phase" | "terms">): PhaseTerms {
  return state.terms[TERMS_OF_PHASE[state.phase]];
}

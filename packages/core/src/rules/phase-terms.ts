import type { AccountState, Phase } from "../account/account.ts";
import type { PhaseTerms } from "./terms.ts";

/** Which of a program's phases an account's phase is. @rule D7.terms */
const TERMS_OF_PHASE: Readonly<Record<Phase, "challenge" | "funded">> = {
  challenge: "challenge",
  funded: "funded",
  // The standard account winds down under the rules it had.
  proTransition: "funded",
  proChallengeDirect: "challenge",
  proChallengeFromStandard: "challenge",
  proFunded: "funded",
};

export function phaseTermsOf(state: Pick<AccountState, "phase" | "terms">): PhaseTerms {
  return state.terms[TERMS_OF_PHASE[state.phase]];
}

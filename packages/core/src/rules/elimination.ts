import type { AccountState, Elimination, Phase } from "../account/account.ts";
import type { LimitFigures } from "../account/snapshot.ts";
import type { UnixMs } from "../units.ts";

/** The network's words for the phase in which an account failed. @rule D3.eliminationReason */
const PHASE_WORDS = {
  challenge: "CHALLENGE",
  funded: "FUNDED",
  proTransition: "FUNDED",
  proChallengeDirect: "PRO_CHALLENGE",
  proChallengeFromStandard: "PRO_CHALLENGE",
  proFunded: "PRO_FUNDED",
} as const satisfies Record<Phase, string>;

/** And for the limit that it passed. @rule D3.eliminationReason */
const RULE_WORDS = {
  dailyLoss: "INTRADAY",
  staticLoss: "STATIC",
  endOfDayTrailing: "EOD",
} as const satisfies Record<LimitFigures["rule"], string>;

export function eliminationReason(phase: Phase, rule: LimitFigures["rule"]): string {
  return `FAILED_${PHASE_WORDS[phase]}_PERIOD_${RULE_WORDS[rule]}_DRAWDOWN`;
}

/** A breach becomes the end of the account. @rule S2.1.3 */
export function eliminationBy(
  state: Pick<AccountState, "phase">,
  breach: LimitFigures,
  atMs: UnixMs,
): Elimination {
  return {
    reason: eliminationReason(state.phase, breach.rule),
    atMs,
    drawdownPct: breach.usedPct,
  };
}

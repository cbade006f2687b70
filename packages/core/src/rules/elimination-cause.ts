import type { AccountState, Elimination, FailedPhase, Phase } from "../state/account.ts";
import type { UnixMs } from "../units.ts";
import type { LimitFigures } from "./limit.ts";

/**
 * The name that an elimination has for the account's phase. The transition counts as funded, and both kinds of pro
 * challenge have one name. @rule D3.eliminationReason
 */
const FAILED_PHASES: Readonly<Record<Phase, FailedPhase>> = {
  challenge: "challenge",
  funded: "funded",
  proTransition: "funded",
  proChallengeDirect: "proChallenge",
  proChallengeFromStandard: "proChallenge",
  proFunded: "proFunded",
};

/** The elimination that the breach of a limit causes. @rule S2.1.3 */
export function eliminationByBreach(
  state: Pick<AccountState, "phase">,
  { rule, measured, floor, usedPct: drawdownPct }: LimitFigures,
  atMs: UnixMs,
): Elimination {
  const phase = FAILED_PHASES[state.phase];
  return {
    cause: { kind: "lossLimit", phase, rule, measured, floor },
    atMs,
    drawdownPct,
  };
}

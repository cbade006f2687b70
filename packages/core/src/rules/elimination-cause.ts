import type { AccountState, Elimination, FailedPhase, Phase } from "../state/account.ts";
import type { UnixMs } from "../units.ts";
import type { LimitFigures } from "./limit.ts";

/** The name of each phase in an elimination. @rule D3.eliminationReason */
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

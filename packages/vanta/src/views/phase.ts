import type { Bucket } from "@propgate/contract";
import type { AccountStatus, MicroUsd, Phase } from "@propgate/core";
import type { LinkedReadings, SubaccountStatus } from "../dashboard/linked-readings.ts";

/** The phase of each of the network's categories; null for those that say nothing about it. */
const PHASES: Readonly<Record<Bucket, Phase | null>> = {
  SUBACCOUNT_CHALLENGE: "challenge",
  SUBACCOUNT_FUNDED: "funded",
  // A funded account after 90 days.
  SUBACCOUNT_ALPHA: "funded",
  PRO_CHALLENGE_TRANSITION: "proTransition",
  PRO_CHALLENGE_DIRECT: "proChallengeDirect",
  PRO_CHALLENGE_FROM_STANDARD: "proChallengeFromStandard",
  PRO_FUNDED: "proFunded",
  ELIMINATED: null,
  unknown: null,
};

/** How the reason of an elimination begins, and the phase that it ended. The longer ones come first. */
const FAILED_PHASES: readonly (readonly [string, Phase])[] = [
  ["FAILED_PRO_CHALLENGE_", "proChallengeDirect"],
  ["FAILED_PRO_FUNDED_", "proFunded"],
  ["FAILED_CHALLENGE_", "challenge"],
  ["FAILED_FUNDED_", "funded"],
];

/** The present phase, or the one that the elimination ended; null when the network does not say. */
export function phaseOf({ challenge, elimination }: LinkedReadings): Phase | null {
  const phase = challenge === null ? null : PHASES[challenge.bucket];
  if (phase !== null) return phase;
  const reason = elimination?.reason ?? "";
  return FAILED_PHASES.find(([start]) => reason.startsWith(start))?.[1] ?? null;
}

const PRO_PHASES: ReadonlySet<Phase> = new Set([
  "proChallengeDirect",
  "proChallengeFromStandard",
  "proFunded",
]);

/**
 * In the transition the standard account still runs. An account whose phase is unknown is pro if the network calls it
 * so. @rule S2.1.1
 */
export function isLinkedPro(readings: LinkedReadings): boolean {
  const phase = phaseOf(readings);
  return phase === null ? readings.info.accountType === "pro" : PRO_PHASES.has(phase);
}

export function isEliminated({ info, challenge, elimination }: LinkedReadings): boolean {
  return info.status === "eliminated" || challenge?.bucket === "ELIMINATED" || elimination !== null;
}

const STATUSES: Readonly<Record<SubaccountStatus, AccountStatus>> = {
  pending: "provisioning",
  // Its creation failed: the network has no account.
  failed: "provisioning",
  active: "active",
  unknown: "active",
  eliminated: "eliminated",
};

/** The account's status here; an elimination that the network reverts is active again. */
export function linkedStatus(readings: LinkedReadings): AccountStatus {
  return isEliminated(readings) ? "eliminated" : STATUSES[readings.info.status];
}

/** The size that the network runs now: the pro size in the pro phases. */
export function effectiveSize(readings: LinkedReadings): MicroUsd {
  const { info, ledger } = readings;
  const proSize = isLinkedPro(readings) ? info.proSize : null;
  return ledger?.size ?? proSize ?? info.size;
}

import type { Bucket } from "@propgate/contract";
import type { AccountStatus, MicroUsd, Phase } from "@propgate/core";
import type { LinkedReadings, SubaccountStatus } from "../dashboard/linked-readings.ts";

/** The phase of each of the network's buckets; null for a bucket that does not determine it. */
const PHASES: Readonly<Record<Bucket, Phase | null>> = {
  SUBACCOUNT_CHALLENGE: "challenge",
  SUBACCOUNT_FUNDED: "funded",
  // The network's name for a funded account after 90 days.
  SUBACCOUNT_ALPHA: "funded",
  PRO_CHALLENGE_TRANSITION: "proTransition",
  PRO_CHALLENGE_DIRECT: "proChallengeDirect",
  PRO_CHALLENGE_FROM_STANDARD: "proChallengeFromStandard",
  PRO_FUNDED: "proFunded",
  ELIMINATED: null,
  unknown: null,
};

/**
 * How the network's reasons of an elimination begin, each with the phase that the elimination ended. A reason does not
 * tell the two kinds of pro challenge apart, so both count as `proChallengeDirect`.
 */
const FAILED_PHASES: readonly (readonly [string, Phase])[] = [
  ["FAILED_PRO_CHALLENGE_", "proChallengeDirect"],
  ["FAILED_PRO_FUNDED_", "proFunded"],
  ["FAILED_CHALLENGE_", "challenge"],
  ["FAILED_FUNDED_", "funded"],
];

/** The present phase, or the one that the elimination ended; null when the network did not send it. */
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
 * Whether the pro account runs. In the transition the standard account still runs. An account whose phase is unknown is
 * pro if the network calls it so. @rule S2.1.1
 */
export function isLinkedPro(readings: LinkedReadings): boolean {
  const phase = phaseOf(readings);
  return phase === null ? readings.info.accountType === "pro" : PRO_PHASES.has(phase);
}

/** True when the network reports an elimination of the account. */
export function isEliminated({ info, challenge, elimination }: LinkedReadings): boolean {
  return info.status === "eliminated" || challenge?.bucket === "ELIMINATED" || elimination !== null;
}

const STATUSES: Readonly<Record<SubaccountStatus, AccountStatus>> = {
  pending: "provisioning",
  // The creation of the subaccount failed: the network has no account.
  failed: "provisioning",
  active: "active",
  unknown: "active",
  eliminated: "eliminated",
};

/** The account's status here. An account whose elimination the network reverts is active again. */
export function linkedStatus(readings: LinkedReadings): AccountStatus {
  return isEliminated(readings) ? "eliminated" : STATUSES[readings.info.status];
}

/**
 * The size of the account that runs: the ledger's, or else the pro size in the pro phases, or else the account's own.
 */
export function effectiveSize(readings: LinkedReadings): MicroUsd {
  const { info, ledger } = readings;
  const proSize = isLinkedPro(readings) ? info.proSize : null;
  return ledger?.size ?? proSize ?? info.size;
}

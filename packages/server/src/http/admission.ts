import { LIMITS } from "@propgate/contract";
import type { Clock } from "../clock.ts";
import type {
  AdmissionRequest,
  AdmissionStore,
  AdmittedAccount,
  KeyAdmission,
} from "../keys/admission-port.ts";
import { type MicroBatch, microBatch } from "../micro-batch.ts";

/** What the gates behind the signature judge by. */
export interface Admission {
  readonly keyActive: boolean;
  /** Of identical requests exactly one is fresh. @rule S5.R2 */
  readonly fresh: boolean;
  /** Its place in the key's window, from 1; null when it does not draw on the budget. */
  readonly readRank: number | null;
  readonly windowEndsAtMs: number;
  readonly cooldownUntilMs: number | null;
  readonly rejections: number;
  readonly account: AdmittedAccount | null;
}

const BATCH_MAX = 512;

const UNKNOWN_KEY: KeyAdmission = {
  active: false,
  freshNonces: new Set(),
  reads: 0,
  windowStartMs: 0,
  cooldownUntilMs: null,
  rejections: 0,
  account: null,
};

/**
 * Admits the requests that arrive while the previous admission commits together: their nonces,
 * read budgets, cooldowns and their accounts' versions in one statement and one commit.
 * Read windows are fixed: clock minutes. @rule S5.R2 S8.read D2.race
 */
export function admissions(need: {
  readonly store: Pick<AdmissionStore, "admit">;
  readonly clock: Clock;
  /** Statements under way at once; one database connection each. */
  readonly atOnce: number;
  /** Requests of one statement, at most. */
  readonly batchMax?: number;
}): MicroBatch<AdmissionRequest, Admission> {
  return microBatch({
    most: need.batchMax ?? BATCH_MAX,
    atOnce: need.atOnce,
    run: async (requests) => {
      const now = need.clock.now();
      const windowStartMs = now - (now % LIMITS.readWindowMs);
      const first = firstOfEach(requests);
      const asked = requests.filter((_, index) => first[index]);
      return share(requests, first, await need.store.admit(asked, { now, windowStartMs }));
    },
  });
}

/** Marks the first of every group of identical requests. */
function firstOfEach(requests: readonly AdmissionRequest[]): readonly boolean[] {
  const seen = new Set<string>();
  return requests.map(({ keyId, nonce }) => {
    const identity = `${keyId}\n${nonce}`;
    if (seen.has(identity)) return false;
    seen.add(identity);
    return true;
  });
}

/** Gives each request its part of the answer; ranks within the window in order of arrival. */
function share(
  requests: readonly AdmissionRequest[],
  first: readonly boolean[],
  keys: ReadonlyMap<string, KeyAdmission>,
): readonly Admission[] {
  const left = new Map<string, number>();
  for (const [index, { keyId, nonce, counted }] of requests.entries())
    if (first[index] && counted && keys.get(keyId)?.freshNonces.has(nonce))
      left.set(keyId, (left.get(keyId) ?? 0) + 1);
  return requests.map(({ keyId, nonce, counted }, index) => {
    const key = keys.get(keyId) ?? UNKNOWN_KEY;
    const fresh = first[index] === true && key.freshNonces.has(nonce);
    const behind = left.get(keyId) ?? 0;
    if (fresh && counted) left.set(keyId, behind - 1);
    return {
      keyActive: key.active,
      fresh,
      readRank: fresh && counted ? key.reads - behind + 1 : null,
      windowEndsAtMs: key.windowStartMs + LIMITS.readWindowMs,
      cooldownUntilMs: key.cooldownUntilMs,
      rejections: key.rejections,
      account: key.account,
    };
  });
}

import {
  type BatchObserver,
  type Clock,
  createMicroBatcher,
  type MicroBatcher,
} from "@propgate/base";
import { LIMITS } from "@propgate/contract";
import type { UnixMs } from "@propgate/core";
import type {
  AdmissionRequest,
  AdmissionStore,
  AdmittedAccount,
  Budget,
  KeyAdmission,
} from "../storage/admission-port.ts";

/** The facts about a request that the database knows, for the gates after the signature. */
export interface Admission {
  /** The time that is stored with the nonce; a receipt of the request shows it. @rule D9.receipts */
  readonly admittedAtMs: UnixMs;
  /** False when the key is revoked or paused, even if this node still has it as active in its cache. */
  readonly isKeyActive: boolean;
  /**
   * False when the nonce was used before. Of several requests with the same key and nonce, at most one is fresh.
   * @rule S5.R2
   */
  readonly isFresh: boolean;
  /** The request's number among the key's reads of the window, from 1; null when it is not counted. */
  readonly readRank: number | null;
  /** The request's number among the key's requests for receipts in the window, from 1; null when it is not counted. */
  readonly receiptRank: number | null;
  readonly windowEndsAtMs: number;
  /**
   * For a request that was refused without storing its nonce, the time from which the client may sign requests again;
   * else null.
   */
  readonly refusedUntilMs: number | null;
  readonly cooldownUntilMs: number | null;
  readonly rejections: number;
  readonly account: AdmittedAccount | null;
}

/** The admission statement failed. It may have stored the nonces of its requests with the time `atMs`. */
export class AdmissionFailed extends Error {
  override readonly name = "AdmissionFailed";
  readonly atMs: UnixMs;

  constructor(cause: unknown, atMs: UnixMs) {
    super("the admission failed", { cause });
    this.atMs = atMs;
  }
}

const BATCH_MAX = 512;
const HOUR_MS = 3_600_000;

const UNKNOWN_KEY: KeyAdmission = {
  freshNonces: new Set(),
  unstoredNonces: new Set(),
  unstoredReadMs: null,
  unstoredWriteMs: null,
  reads: 0,
  receipts: 0,
  windowStartMs: 0,
  cooldownUntilMs: null,
  rejections: 0,
  account: null,
};

/**
 * Admits requests in batches. A batch has the requests that arrived while the previous one committed. One statement
 * with one commit handles their nonces, read budgets, cooldowns and account versions. A window of reads is a clock
 * minute.
 * @rule S5.R2 S8.read D2.race
 * @throws AdmissionFailed
 */
export function createAdmissions(options: {
  readonly store: Pick<AdmissionStore, "admit">;
  readonly clock: Clock;
  /** The maximum number of concurrent statements, each on a database connection of its own. */
  readonly concurrentMax: number;
  /** The maximum number of a key's refused requests whose nonces are stored in an hour; 3,600 unless given. */
  readonly refusedStoredMax?: number;
  /** The maximum number of requests in one statement. */
  readonly batchMax?: number;
  readonly observer?: BatchObserver | undefined;
}): MicroBatcher<AdmissionRequest, Admission> {
  return createMicroBatcher({
    batchMax: options.batchMax ?? BATCH_MAX,
    concurrentMax: options.concurrentMax,
    run: async (requests) => {
      const now = options.clock.now();
      const windowStartMs = now - (now % LIMITS.readWindowMs);
      const storedMax = options.refusedStoredMax ?? LIMITS.refusedStoredMax;
      const refused = { hourStartMs: now - (now % HOUR_MS), storedMax };
      const first = markFirstOfEach(requests);
      const distinct = requests.filter((_, index) => first[index]);
      const ended = options.observer?.begin(requests.length);
      const admitting = options.store
        .admit(distinct, { now, windowStartMs, refused })
        .catch((cause: unknown) => {
          throw new AdmissionFailed(cause, now);
        });
      const keys = await (ended === undefined ? admitting : admitting.finally(ended));
      return shareAdmission(requests, { first, keys, now });
    },
  });
}

/** Marks the first of every group of requests with the same key and nonce. */
function markFirstOfEach(requests: readonly AdmissionRequest[]): readonly boolean[] {
  const seen = new Set<string>();
  return requests.map(({ keyId, nonce }) => {
    const identity = `${keyId}\n${nonce}`;
    if (seen.has(identity)) return false;
    seen.add(identity);
    return true;
  });
}

function refusedUntil({ isWrite }: AdmissionRequest, key: KeyAdmission): number {
  const signedMs = isWrite ? key.unstoredWriteMs : key.unstoredReadMs;
  const otherwise = isWrite ? (key.cooldownUntilMs ?? 0) : key.windowStartMs + LIMITS.readWindowMs;
  return Math.max((signedMs ?? 0) + 1, otherwise);
}

/** Makes the admission of each request from the database's answer for all. Ranks follow the order of arrival. */
function shareAdmission(
  requests: readonly AdmissionRequest[],
  {
    first,
    keys,
    now,
  }: {
    readonly first: readonly boolean[];
    readonly keys: ReadonlyMap<string, KeyAdmission>;
    readonly now: UnixMs;
  },
): readonly Admission[] {
  const isFresh = ({ keyId, nonce }: AdmissionRequest, index: number): boolean =>
    first[index] === true && keys.get(keyId)?.freshNonces.has(nonce) === true;
  const isUnstored = ({ keyId, nonce }: AdmissionRequest, index: number): boolean =>
    first[index] === true && keys.get(keyId)?.unstoredNonces.has(nonce) === true;
  const drawn = requests.map((request, index) =>
    isFresh(request, index) && request.budget !== null
      ? `${request.budget} ${request.keyId}`
      : null,
  );
  const left = new Map<string, number>();
  for (const name of drawn) if (name !== null) left.set(name, (left.get(name) ?? 0) + 1);
  return requests.map((request, index) => {
    const key = keys.get(request.keyId) ?? UNKNOWN_KEY;
    const name = drawn[index] ?? null;
    const behind = name === null ? 0 : (left.get(name) ?? 0);
    if (name !== null) left.set(name, behind - 1);
    const rankIn = (budget: Budget): number | null =>
      name !== null && request.budget === budget ? key[budget] - behind + 1 : null;
    return {
      admittedAtMs: now,
      isKeyActive: keys.has(request.keyId),
      isFresh: isFresh(request, index) || isUnstored(request, index),
      refusedUntilMs: isUnstored(request, index) ? refusedUntil(request, key) : null,
      readRank: rankIn("reads"),
      receiptRank: rankIn("receipts"),
      windowEndsAtMs: key.windowStartMs + LIMITS.readWindowMs,
      cooldownUntilMs: key.cooldownUntilMs,
      rejections: key.rejections,
      account: key.account,
    };
  });
}

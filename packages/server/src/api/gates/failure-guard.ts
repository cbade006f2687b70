import { type Clock, createMicroBatcher } from "@propgate/base";
import { LIMITS, type SignedEndpointName } from "@propgate/contract";
import type { UnixMs } from "@propgate/core";
import type { AdmissionStore, KeyRejections } from "../../storage/admission-port.ts";
import type { Admission } from "../admission.ts";
import type { Check } from "./facts.ts";

const BATCH_MAX = 512;

/**
 * Rejects orders of a key that is in its cooldown after too many rejected orders. The key can still renew and end its
 * dead man's switch.
 * @rule S8.guard D2.9 @rule D12.pausedSwitch decides
 */
export const checkFailureGuard: Check<{
  readonly endpoint: SignedEndpointName;
  readonly admission: Admission;
  readonly now: UnixMs;
}> = ({ endpoint, admission, now }) => {
  const until = admission.cooldownUntilMs;
  if (endpoint !== "placeOrder" || until === null || until <= now) return null;
  return { error: "tooManyFailedRequests", retryAtMs: until };
};

/**
 * Records the rejected orders of a key, and the successes that set the count of rejected orders back, before the
 * answers are sent.
 */
export interface FailureRecorder {
  recordRejected(keyId: string): Promise<void>;
  recordSucceeded(keyId: string): Promise<void>;
}

/**
 * Creates the recorder. It stores the outcomes of many requests in one statement. @rule S7.R3 S8.guard D2.guard
 */
export function createFailureRecorder(options: {
  readonly store: Pick<AdmissionStore, "reject" | "succeed">;
  readonly clock: Clock;
}): FailureRecorder {
  const undefinedForEach = (items: readonly unknown[]): readonly undefined[] =>
    items.map(() => undefined);
  const rejections = createMicroBatcher<KeyRejections, undefined>({
    batchMax: BATCH_MAX,
    concurrentMax: 1,
    run: async (batch) => {
      const now = options.clock.now();
      await options.store.reject(batch, {
        now,
        sinceMs: now - LIMITS.guardWindowMs,
        rejectionsMax: LIMITS.guardRejectionsMax,
        cooldownUntilMs: now + LIMITS.guardCooldownMs,
      });
      return undefinedForEach(batch);
    },
  });
  const successes = createMicroBatcher<string, undefined>({
    batchMax: BATCH_MAX,
    concurrentMax: 1,
    run: async (keyIds) => {
      await options.store.succeed(keyIds);
      return undefinedForEach(keyIds);
    },
  });
  return {
    recordRejected: (keyId) => rejections.submit({ keyId, count: 1 }),
    recordSucceeded: (keyId) => successes.submit(keyId),
  };
}

import type { Clock } from "@propgate/base";
import { DAY_MS } from "@propgate/core";
import type { NonceStore } from "../../storage/stores/nonce-store.ts";

/** Merges the nonces of former days into blocks. */
export interface NonceMerger {
  /**
   * Call this about once a second. After midnight each call merges 20,000 nonces at most, until all nonces of former
   * days are merged. A killed or concurrent merger loses no nonce, and the next one continues.
   */
  tick(): Promise<void>;
}

/** The maximum number of keys in one read. Most have no nonces to merge. */
const KEYS_PER_READ = 200;
/**
 * The maximum number of nonces that one transaction merges. Requests of the keys of these nonces wait for the
 * transaction.
 */
const NONCES_PER_TRANSACTION = 2_000;
const TRANSACTIONS_PER_TICK = 10;

export function createNonceMerger(options: {
  readonly store: NonceStore;
  readonly clock: Clock;
}): NonceMerger {
  const { store, clock } = options;
  let doneMs = 0;
  let after = "";
  return {
    async tick() {
      const now = clock.now();
      const beforeMs = now - (now % DAY_MS);
      if (doneMs >= beforeMs) return;
      for (let count = 0; count < TRANSACTIONS_PER_TICK; count += 1) {
        const { last, withOld } = await store.keys({ after, beforeMs, limit: KEYS_PER_READ });
        if (last === null) {
          doneMs = beforeMs;
          after = "";
          return;
        }
        const merged =
          withOld.length === 0
            ? 0
            : await store.merge(withOld, { beforeMs, limit: NONCES_PER_TRANSACTION });
        if (merged < NONCES_PER_TRANSACTION) after = last;
      }
    },
  };
}

import { LIMITS } from "@propgate/contract";
import type { AccountId } from "@propgate/core";
import type { Clock } from "../clock.ts";
import type { Chance } from "../random.ts";
import { isKeyId, type KeyUse } from "./api-key.ts";
import { type CreatedKey, createKey, type KeyRequest } from "./create-key.ts";
import type { KeyCache } from "./key-cache.ts";
import type { KeyStore } from "./key-store-port.ts";
import { type Rekeying, rekey } from "./rekey.ts";
import type { SecretBox } from "./seal-secret.ts";

/** What an owner or operator may do with keys; never done with a key itself. @rule D8.keyDesk */
export interface KeyDesk {
  create(request: KeyRequest): Promise<CreatedKey>;
  list(accountId: AccountId | null): Promise<readonly KeyUse[]>;
  /** False when there is no such key or it was revoked before. @rule S5.R6 */
  revoke(keyId: string): Promise<boolean>;
  relabel(keyId: string, label: string): Promise<boolean>;
  /** Seals all secrets under the newest master key. */
  rekey(): Promise<Rekeying>;
}

export function keyDesk(need: {
  readonly store: KeyStore;
  readonly cache: Pick<KeyCache, "forget">;
  readonly box: SecretBox;
  readonly chance: Chance;
  readonly clock: Clock;
}): KeyDesk {
  const create = createKey(need);
  return {
    async create(request) {
      const created = await create(request);
      // Where ids are not chance's, as in the sandbox, somebody may have asked for it before.
      need.cache.forget(created.key.keyId);
      return created;
    },
    list: (accountId) => need.store.list(accountId, need.clock.now() - LIMITS.guardWindowMs),
    async revoke(keyId) {
      if (!isKeyId(keyId)) return false;
      const revoked = await need.store.revoke(keyId, need.clock.now());
      need.cache.forget(keyId);
      return revoked;
    },
    rekey: () => rekey(need),
    async relabel(keyId, label) {
      if (!isKeyId(keyId)) return false;
      const done = await need.store.relabel(keyId, label);
      need.cache.forget(keyId);
      return done;
    },
  };
}

import type { Chance, Clock, RepeatableCall } from "@propgate/base";
import { LIMITS } from "@propgate/contract";
import type { AccountId, OwnerId } from "@propgate/core";
import { isKeyId, type KeyUse } from "../storage/api-key.ts";
import type { KeyChange, KeyStore } from "../storage/key-store-port.ts";
import { type CreatedKey, createKey, type KeyRequest, SERVICE_ACTOR } from "./create-key.ts";
import type { KeyCache } from "./key-cache.ts";
import { createSealedKeyPages, type RekeyResult, rekey } from "./rekey.ts";
import type { SecretBox } from "./seal-secret.ts";

/** Counts and changes the keys of all accounts of one owner. */
export interface OwnerKeys {
  /** The number of active keys, and of keys that would be active if they were not paused. */
  countKeysOf(owner: OwnerId): Promise<{ readonly active: number; readonly paused: number }>;
  /**
   * Pauses, resumes or revokes the keys. `by` is the one who does it, in words for people. Returns the number of
   * changed keys. @rule S5.R6
   */
  changeOfOwner(owner: OwnerId, change: KeyChange["change"], by?: string): Promise<number>;
}

/**
 * Manages keys for owners, on the dashboard, and for operators. The signed API has no call that manages keys, so a
 * request with a key cannot manage keys. @rule D8.keyDesk decides
 */
export interface KeyDesk extends OwnerKeys {
  /**
   * Creates a key. Null when the account already has the maximum of keys that are neither revoked nor expired.
   * @rule D12.activeKeys
   */
  create(request: KeyRequest, act?: RepeatableCall | null): Promise<CreatedKey | null>;
  /** Whether the account may get one more key after `earlier` other new keys. */
  hasRoom(accountId: AccountId, earlier: number): Promise<boolean>;
  list(accountId: AccountId): Promise<readonly KeyUse[]>;
  /** The account of a key; null when there is no such key. */
  accountOf(keyId: string): Promise<AccountId | null>;
  /** Revokes a key. False when there is no such key or it was revoked before. @rule S5.R6 */
  revoke(keyId: string, by?: string): Promise<boolean>;
  /** Seals the secrets of all keys under the newest master key. */
  rekey(): Promise<RekeyResult>;
}

export function createKeyDesk(options: {
  readonly store: KeyStore;
  readonly cache: Pick<KeyCache, "forget">;
  readonly box: SecretBox;
  readonly chance: Chance;
  readonly clock: Clock;
}): KeyDesk {
  const create = createKey(options);
  return {
    async create(request, act = null) {
      const created = await create(request, act);
      // With predictable ids, as in the sandbox, an earlier request may have cached this id as unknown.
      if (created !== null) options.cache.forget(created.key.keyId);
      return created;
    },
    async hasRoom(accountId, earlier) {
      const now = options.clock.now();
      const active = (await options.store.list(accountId, now)).filter(
        ({ revokedAtMs, expiresAtMs }) =>
          revokedAtMs === null && (expiresAtMs === null || expiresAtMs > now),
      );
      return active.length + earlier < LIMITS.activeKeysMax;
    },
    list: (accountId) => options.store.list(accountId, options.clock.now() - LIMITS.guardWindowMs),
    async accountOf(keyId) {
      if (!isKeyId(keyId)) return null;
      return (await options.store.find([keyId]))[0]?.accountId ?? null;
    },
    async revoke(keyId, by = SERVICE_ACTOR) {
      if (!isKeyId(keyId)) return false;
      const revoked = await options.store.revoke(keyId, { atMs: options.clock.now(), by });
      options.cache.forget(keyId);
      return revoked;
    },
    countKeysOf: (owner) => options.store.countOfOwner(owner, options.clock.now()),
    async changeOfOwner(owner, change, by = SERVICE_ACTOR) {
      const atMs = options.clock.now();
      const given = change === "resume" ? { change } : { change, atMs, by };
      const keyIds = await options.store.changeOfOwner(owner, given);
      for (const keyId of keyIds) options.cache.forget(keyId);
      return keyIds.length;
    },
    rekey: () => rekey(createSealedKeyPages(options)),
  };
}

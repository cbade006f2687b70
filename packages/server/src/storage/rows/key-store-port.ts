import type { AccountId, OwnerId, UnixMs } from "@propgate/core";
import type { KeyUse, StoredKey } from "./api-key.ts";

/** `pause` and `revoke` at a moment; neither touches a key that was revoked before. */
export type KeyChange =
  | { readonly change: "pause" | "revoke"; readonly atMs: UnixMs }
  | { readonly change: "resume" };

/** Where keys are kept. Everything that changes a key is durable when it resolves. */
export interface KeyStore {
  /**
   * False, and nothing happens, when the account has `activeMax` keys that are neither revoked nor
   * expired. Counting and inserting are one step, also over several nodes. Null: there is no limit.
   */
  insert(key: StoredKey, activeMax: number | null): Promise<boolean>;
  /** Those of the ids that exist, revoked and expired ones included, in no order. */
  find(keyIds: readonly string[]): Promise<readonly StoredKey[]>;
  /** Of one account, or of all, newest first; rejections before `rejectedSinceMs` do not count. */
  list(accountId: AccountId | null, rejectedSinceMs: number): Promise<readonly KeyUse[]>;
  /** False when there is no such key or it was revoked before. */
  revoke(keyId: string, atMs: UnixMs): Promise<boolean>;
  /** Of the owner's accounts; those that are revoked or expired do not count. */
  countOfOwner(
    owner: OwnerId,
    now: UnixMs,
  ): Promise<{ readonly active: number; readonly paused: number }>;
  /** Changes every key of the owner's accounts that this applies to; answers their ids. */
  changeOfOwner(owner: OwnerId, change: KeyChange): Promise<readonly string[]>;
  /** False when there is no such key. */
  relabel(keyId: string, label: string): Promise<boolean>;
  /** A page of all keys by id, for re-sealing: those behind `after`. */
  page(after: string | null, limit: number): Promise<readonly StoredKey[]>;
  /** Some of those that are sealed under that version of the master key. */
  sealedWith(version: number, limit: number): Promise<readonly StoredKey[]>;
  /** Replaces the sealed secrets that still are `from`; answers how many that were. */
  reseal(keys: readonly Reseal[]): Promise<number>;
  /** How many keys' secrets are sealed under each version of the master key. */
  sealedUnder(): Promise<ReadonlyMap<number, number>>;
}

/** A key's sealed secret as it was read, and as it shall be. */
export interface Reseal {
  readonly keyId: string;
  readonly from: Uint8Array;
  readonly to: Uint8Array;
}

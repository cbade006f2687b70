import type { AccountId, OwnerId, UnixMs } from "@propgate/core";
import type { KeyUse, StoredKey } from "./api-key.ts";

/** A change of several keys. Revoked keys are never changed. */
export type KeyChange =
  | { readonly change: "pause"; readonly atMs: UnixMs }
  | ({ readonly change: "revoke" } & Revocation)
  | { readonly change: "resume" };

/** When a key was revoked, and who did it, in words for people. */
export interface Revocation {
  readonly atMs: UnixMs;
  readonly by: string;
}

/** Stores keys. Every change is durable when its method resolves. */
export interface KeyStore {
  /**
   * False, without an insert, when the account has `activeMax` keys that are neither revoked nor expired.
   * Atomic over several nodes. `by` is who made it, in words for people.
   */
  insert(
    key: StoredKey,
    made: { readonly activeMax: number; readonly by: string },
  ): Promise<boolean>;
  /** The keys with these ids, including revoked and expired ones, in no particular order. */
  find(keyIds: readonly string[]): Promise<readonly StoredKey[]>;
  /** The keys of the account, newest first; counts rejections since `rejectedSinceMs`. */
  list(accountId: AccountId, rejectedSinceMs: number): Promise<readonly KeyUse[]>;
  /** False when there is no such key or it was revoked before. */
  revoke(keyId: string, revocation: Revocation): Promise<boolean>;
  /** Counts the keys of the owner's accounts that are neither revoked nor expired. */
  countOfOwner(
    owner: OwnerId,
    now: UnixMs,
  ): Promise<{ readonly active: number; readonly paused: number }>;
  /** Changes the keys of the owner's accounts; returns the ids of those that changed. */
  changeOfOwner(owner: OwnerId, change: KeyChange): Promise<readonly string[]>;
  /** False when there is no such key. */
  relabel(keyId: string, label: string): Promise<boolean>;
  /** A page of all keys by id, after the id `after`, for re-sealing. */
  page(after: string | null, limit: number): Promise<readonly StoredKey[]>;
  /** Up to `limit` keys that are sealed under that version of the master key. */
  sealedWith(version: number, limit: number): Promise<readonly StoredKey[]>;
  /** Replaces the sealed secrets that still equal `from`; returns the number of replaced ones. */
  reseal(keys: readonly Reseal[]): Promise<number>;
  /** How many keys' secrets are sealed under each version of the master key. */
  sealedUnder(): Promise<ReadonlyMap<number, number>>;
}

/** A key's sealed secret as it was read, and its replacement. */
export interface Reseal {
  readonly keyId: string;
  readonly from: Uint8Array;
  readonly to: Uint8Array;
}

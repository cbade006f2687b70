import type { AccountId, OwnerId, UnixMs } from "@propgate/core";
import type { KeyUse, StoredKey } from "./api-key.ts";

/** A change of several keys at a time. Revoked keys are never changed. */
export type KeyChange =
  | { readonly change: "pause"; readonly atMs: UnixMs }
  | ({ readonly change: "revoke" } & Revocation)
  | { readonly change: "resume" };

/** The time of a revocation, and who revoked the key, in words for people. */
export interface Revocation {
  readonly atMs: UnixMs;
  readonly by: string;
}

/** Stores keys. Every change is durable when its method resolves. */
export interface KeyStore {
  /**
   * Stores a new key. Returns false, and stores nothing, when the account has `activeMax` keys that are neither revoked
   * nor expired; the check is atomic over several nodes. `by` is who made the key, in words for people.
   */
  insert(
    key: StoredKey,
    made: { readonly activeMax: number; readonly by: string },
  ): Promise<boolean>;
  /** The keys with these ids, including revoked, expired and paused ones, in no particular order. */
  find(keyIds: readonly string[]): Promise<readonly StoredKey[]>;
  /** The keys of the account, newest first, each with the number of its rejected orders since `rejectedSinceMs`. */
  list(accountId: AccountId, rejectedSinceMs: number): Promise<readonly KeyUse[]>;
  /** Revokes a key. False when there is no such key or it was revoked before. */
  revoke(keyId: string, revocation: Revocation): Promise<boolean>;
  /**
   * Counts the keys of the owner's accounts that are neither revoked nor expired: the paused ones, and the others as
   * active.
   */
  countOfOwner(
    owner: OwnerId,
    now: UnixMs,
  ): Promise<{ readonly active: number; readonly paused: number }>;
  /** Changes the keys of the owner's accounts; returns the ids of those that were changed. */
  changeOfOwner(owner: OwnerId, change: KeyChange): Promise<readonly string[]>;
  /** Up to `limit` keys in the order of their ids, after the id `after`; from the first one when that is null. */
  page(after: string | null, limit: number): Promise<readonly StoredKey[]>;
  /** Up to `limit` keys whose secret is sealed under that version of the master key. */
  findSealedWith(version: number, limit: number): Promise<readonly StoredKey[]>;
  /** Replaces the sealed secrets that still equal `from`; returns how many were replaced. */
  reseal(keys: readonly Reseal[]): Promise<number>;
  /** How many keys have a secret that is sealed under each version of the master key. */
  countBySealVersion(): Promise<ReadonlyMap<number, number>>;
}

/** The sealed secret of a key as it was read, and its replacement. */
export interface Reseal {
  readonly keyId: string;
  readonly from: Uint8Array;
  readonly to: Uint8Array;
}

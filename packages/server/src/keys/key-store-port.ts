import type { AccountId, UnixMs } from "@propgate/core";
import type { KeyUse, StoredKey } from "./api-key.ts";

/** Where keys are kept. Everything that changes a key is durable when it resolves. */
export interface KeyStore {
  insert(key: StoredKey): Promise<void>;
  /** Those of the ids that exist, revoked and expired ones included, in no order. */
  find(keyIds: readonly string[]): Promise<readonly StoredKey[]>;
  /** Of one account, or of all, newest first; rejections before `rejectedSinceMs` do not count. */
  list(accountId: AccountId | null, rejectedSinceMs: number): Promise<readonly KeyUse[]>;
  /** False when there is no such key or it was revoked before. */
  revoke(keyId: string, atMs: UnixMs): Promise<boolean>;
  /** False when there is no such key. */
  relabel(keyId: string, label: string): Promise<boolean>;
  /** A page of all keys by id, for re-sealing: those behind `after`. */
  page(after: string | null, limit: number): Promise<readonly StoredKey[]>;
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

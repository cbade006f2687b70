import { createSecretKey, type KeyObject } from "node:crypto";
import { addressFilter, createMicroBatch, type MicroBatch } from "@propgate/base";
import type { UnixMs } from "@propgate/core";
import { type PerShard, perShard, shardOfKey } from "@propgate/ledger";
import { type ApiKey, isActive, type StoredKey } from "../storage/api-key.ts";
import type { KeyStore } from "../storage/key-store-port.ts";
import type { SecretBox } from "./seal-secret.ts";

/** An active key, ready to verify with. */
export interface KnownKey {
  readonly key: ApiKey;
  /** The key for signatures; null when the stored secret cannot be opened. */
  readonly material: KeyObject | null;
  allows(address: string): boolean;
}

/**
 * Caches active keys with their opened secrets and, for a short time, unknown ids. A repeated id,
 * known or invented, needs no database query. All other ids of one moment are looked up in one
 * statement, and concurrent requests for one id share its lookup. Unknown, revoked and expired ids
 * take the same path.
 */
export interface KeyCache {
  /** Null when no active key has this id. @rule S5.R6 */
  find(keyId: string, now: UnixMs): KnownKey | null | Promise<KnownKey | null>;
  /**
   * The key by the database at this moment, for a request that has waited: also one that has ended, and without its
   * secret, which costs more to open than the key to find. Concurrent ones share a statement.
   */
  stored(keyId: string): Promise<ApiKey | null>;
  /** Call this after creating or changing a key. */
  forget(keyId: string): void;
  clear(): void;
  /** Replaces the key of an unknown id, so that it costs the same work. */
  readonly dummy: KeyObject;
}

const KEPT_MAX = 200_000;
/** Separate from the known keys, so that invented ids never displace a key. */
const UNKNOWN_MAX = 10_000;
/**
 * Ids are 119 random bits, so no miss can have been cached for a key that another node creates
 * later.
 */
const UNKNOWN_FOR_MS = 5_000;
/** The service's ids have 23 or 25 characters; a much longer one is not cached. */
const ID_LENGTH_MAX = 64;
const LOOKUPS_MAX = 256;
const SECRET_BYTES = 32;

export function createKeyCache(options: {
  /** One for each database: a failing one delays no key of the others. */
  readonly stores: PerShard<Pick<KeyStore, "find">>;
  readonly box: SecretBox;
}): KeyCache {
  const kept = new Map<string, KnownKey>();
  /** When the lookup found no active key with the id. */
  const unknown = new Map<string, UnixMs>();
  const underWay = new Map<string, Promise<KnownKey | null>>();
  const changes = { count: 0 };
  const lookups = perShard(options.stores, lookupBatch);

  const load = async (keyId: string, now: UnixMs): Promise<KnownKey | null> => {
    const before = changes.count;
    const stored = await shardOfKey(lookups, keyId).submit(keyId);
    // A lookup from before a change must not be cached after it, and a secret that failed to open
    // may be repaired.
    const isFresh = changes.count === before;
    if (stored === null || !isActive(stored, now)) {
      kept.delete(keyId);
      if (isFresh && keyId.length <= ID_LENGTH_MAX) keep(unknown, UNKNOWN_MAX, [keyId, now]);
      return null;
    }
    const known = open(stored, options.box);
    if (known.material !== null && isFresh) keep(kept, KEPT_MAX, [keyId, known]);
    return known;
  };
  const loadOnce = (keyId: string, now: UnixMs): Promise<KnownKey | null> => {
    const already = underWay.get(keyId);
    if (already !== undefined) return already;
    const loading = load(keyId, now).finally(() => done(keyId, loading));
    underWay.set(keyId, loading);
    return loading;
  };
  const done = (keyId: string, loading: Promise<KnownKey | null>): void => {
    if (underWay.get(keyId) === loading) underWay.delete(keyId);
  };
  const isUnknown = (keyId: string, now: UnixMs): boolean => {
    const sinceMs = unknown.get(keyId);
    if (sinceMs === undefined) return false;
    if (now >= sinceMs && now - sinceMs < UNKNOWN_FOR_MS) return true;
    unknown.delete(keyId);
    return false;
  };

  return {
    find(keyId, now) {
      const known = kept.get(keyId);
      if (known !== undefined && isActive(known.key, now)) return known;
      kept.delete(keyId);
      return isUnknown(keyId, now) ? null : loadOnce(keyId, now);
    },
    stored: (keyId) => shardOfKey(lookups, keyId).submit(keyId),
    forget(keyId) {
      changes.count += 1;
      kept.delete(keyId);
      unknown.delete(keyId);
      // Requests from now on get the present state.
      underWay.delete(keyId);
    },
    clear() {
      changes.count += 1;
      kept.clear();
      unknown.clear();
      underWay.clear();
    },
    dummy: createSecretKey(Buffer.alloc(SECRET_BYTES)),
  };
}

function lookupBatch(store: Pick<KeyStore, "find">): MicroBatch<string, StoredKey | null> {
  return createMicroBatch({
    batchMax: LOOKUPS_MAX,
    concurrentMax: 1,
    run: async (keyIds) => {
      const found = await store.find([...new Set(keyIds)]);
      const byId = new Map(found.map((key) => [key.keyId, key]));
      return keyIds.map((keyId) => byId.get(keyId) ?? null);
    },
  });
}

/** Drops the oldest entry when the map is full. */
function keep<Value>(
  kept: Map<string, Value>,
  max: number,
  [keyId, value]: readonly [string, Value],
): void {
  if (kept.size >= max && !kept.has(keyId)) {
    const [oldest] = kept.keys();
    if (oldest !== undefined) kept.delete(oldest);
  }
  kept.set(keyId, value);
}

function open(stored: StoredKey, box: SecretBox): KnownKey {
  const { sealedSecret, ...key } = stored;
  const secret = box.open(key.keyId, sealedSecret);
  return {
    key,
    material: secret === null ? null : createSecretKey(secret, "utf8"),
    allows: addressFilter(key.addresses),
  };
}

import { createSecretKey, type KeyObject } from "node:crypto";
import { createAddressFilter, createMicroBatcher, type MicroBatcher } from "@propgate/base";
import type { UnixMs } from "@propgate/core";
import { type PerShard, perShard, shardOfKey } from "@propgate/ledger";
import { type ApiKey, isActiveKey, type StoredKey } from "../storage/api-key.ts";
import type { KeyStore } from "../storage/key-store-port.ts";
import type { SecretBox } from "./seal-secret.ts";

/** An active key with its opened secret, ready to check signatures. */
export interface OpenedKey {
  readonly key: ApiKey;
  /** The secret for signatures; null when the stored secret cannot be opened. */
  readonly material: KeyObject | null;
  allows(address: string): boolean;
}

/**
 * Caches active keys with their opened secrets, and unknown ids for a short time. A repeated id needs no database
 * query, whether it is known or invented. Other ids that are requested at the same time are looked up in one statement
 * per database, and concurrent requests for one id share its lookup. Unknown, revoked and expired ids are handled in
 * the same way.
 */
export interface KeyCache {
  /** The active key with this id; null when there is none. @rule S5.R6 */
  find(keyId: string, now: UnixMs): OpenedKey | null | Promise<OpenedKey | null>;
  /**
   * The key as the database has it at this moment, for a request that has waited; null when there is none. The key may
   * be inactive. Concurrent calls share a statement.
   */
  stored(keyId: string): Promise<ApiKey | null>;
  /** To be called after a key was created or changed on this node: the next request reads it from the database. */
  forget(keyId: string): void;
  clear(): void;
  /** A key for checking the signature of an unknown id, so that it costs the same work as a known one. */
  readonly dummy: KeyObject;
}

const KEPT_MAX = 200_000;
/**
 * The maximum number of unknown ids in the cache. They are kept apart from the known keys, so that invented ids never
 * displace a key.
 */
const UNKNOWN_MAX = 10_000;
/**
 * For this long an id counts as unknown without a database query. Ids are 119 random bits, so an unknown id cannot
 * become the id of a key that another node creates meanwhile.
 */
const UNKNOWN_FOR_MS = 5_000;
/** The maximum length of an id that is cached as unknown. The service's own ids have 23 or 25 characters. */
const ID_LENGTH_MAX = 64;
const LOOKUPS_MAX = 256;
const SECRET_BYTES = 32;

export function createKeyCache(options: {
  /** One store for each database, so that a failing database delays no key of the others. */
  readonly stores: PerShard<Pick<KeyStore, "find">>;
  readonly box: SecretBox;
}): KeyCache {
  const kept = new Map<string, OpenedKey>();
  /** The ids without an active key, with the time of the lookup. */
  const unknown = new Map<string, UnixMs>();
  const underWay = new Map<string, Promise<OpenedKey | null>>();
  const changes = { count: 0 };
  const lookups = perShard(options.stores, createLookupBatcher);

  const load = async (keyId: string, now: UnixMs): Promise<OpenedKey | null> => {
    const before = changes.count;
    const stored = await shardOfKey(lookups, keyId).submit(keyId);
    // A key that was looked up before a change is not cached after the change. A key whose secret cannot be opened is
    // not cached either, because the secret may be repaired.
    const isFresh = changes.count === before;
    if (stored === null || !isActiveKey(stored, now)) {
      kept.delete(keyId);
      if (isFresh && keyId.length <= ID_LENGTH_MAX) addBounded(unknown, UNKNOWN_MAX, [keyId, now]);
      return null;
    }
    const known = openKey(stored, options.box);
    if (known.material !== null && isFresh) addBounded(kept, KEPT_MAX, [keyId, known]);
    return known;
  };
  const loadOnce = (keyId: string, now: UnixMs): Promise<OpenedKey | null> => {
    const already = underWay.get(keyId);
    if (already !== undefined) return already;
    const loading = load(keyId, now).finally(() => done(keyId, loading));
    underWay.set(keyId, loading);
    return loading;
  };
  const done = (keyId: string, loading: Promise<OpenedKey | null>): void => {
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
      if (known !== undefined && isActiveKey(known.key, now)) return known;
      kept.delete(keyId);
      return isUnknown(keyId, now) ? null : loadOnce(keyId, now);
    },
    stored: (keyId) => shardOfKey(lookups, keyId).submit(keyId),
    forget(keyId) {
      changes.count += 1;
      kept.delete(keyId);
      unknown.delete(keyId);
      // Later requests do not share a lookup that began before the change.
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

function createLookupBatcher(
  store: Pick<KeyStore, "find">,
): MicroBatcher<string, StoredKey | null> {
  return createMicroBatcher({
    batchMax: LOOKUPS_MAX,
    concurrentMax: 1,
    run: async (keyIds) => {
      const found = await store.find([...new Set(keyIds)]);
      const byId = new Map(found.map((key) => [key.keyId, key]));
      return keyIds.map((keyId) => byId.get(keyId) ?? null);
    },
  });
}

/** Adds an entry, and drops the oldest one when the map is full. */
function addBounded<Value>(
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

function openKey(stored: StoredKey, box: SecretBox): OpenedKey {
  const { sealedSecret, ...key } = stored;
  const secret = box.open(key.keyId, sealedSecret);
  return {
    key,
    material: secret === null ? null : createSecretKey(secret, "utf8"),
    allows: createAddressFilter(key.addresses),
  };
}

import { createSecretKey, type KeyObject } from "node:crypto";
import { BlockList, isIPv6 } from "node:net";
import type { UnixMs } from "@propgate/core";
import { type MicroBatch, microBatch } from "../micro-batch.ts";
import { type ApiKey, isActive, type StoredKey } from "./api-key.ts";
import type { KeyStore } from "./key-store-port.ts";
import type { SecretBox } from "./seal-secret.ts";

/** An active key, ready to verify with. */
export interface KnownKey {
  readonly key: ApiKey;
  /** What signatures are made with; null when the stored secret does not open. */
  readonly material: KeyObject | null;
  allows(address: string): boolean;
}

/**
 * Active keys with their secrets opened, in memory, and for a short time the ids that name none. So
 * an id that is asked for again costs no turn of the database, whether it is somebody's or made up;
 * what is in neither is looked up with all others of that moment, one statement at a time, and an id
 * that is being looked up is waited for and not asked for twice. Unknown, revoked and expired ids
 * take one path.
 */
export interface KeyCache {
  /** Null when no active key has this id. @rule S5.R6 */
  find(keyId: string, now: UnixMs): KnownKey | null | Promise<KnownKey | null>;
  /** To be called after any change to a key, its making included. */
  forget(keyId: string): void;
  clear(): void;
  /** Stands in for the key of an unknown id, so that it costs the same work. */
  readonly dummy: KeyObject;
}

const MOST_KEPT = 200_000;
/** Made-up ids push out made-up ids, never a key. */
const MOST_UNKNOWN = 10_000;
/** Another node's new key has an id of 120 random bits, so nobody has asked for it too early. */
const UNKNOWN_FOR_MS = 5_000;
/** An id of the service has 23 characters; a longer one is not worth remembering. */
const ID_LENGTH_MAX = 64;
const MOST_LOOKUPS = 256;
const SECRET_BYTES = 32;

export function keyCache(need: {
  readonly store: Pick<KeyStore, "find">;
  readonly box: SecretBox;
}): KeyCache {
  const kept = new Map<string, KnownKey>();
  /** When it was found that no active key has the id. */
  const unknown = new Map<string, UnixMs>();
  const underWay = new Map<string, Promise<KnownKey | null>>();
  const changes = { count: 0 };
  const lookups = lookupBatch(need.store);

  const load = async (keyId: string, now: UnixMs): Promise<KnownKey | null> => {
    const before = changes.count;
    const stored = await lookups.submit(keyId);
    // What was read before a change must not outlive it, and a secret that fails may be mended.
    const isFresh = changes.count === before;
    if (stored === null || !isActive(stored, now)) {
      if (isFresh && keyId.length <= ID_LENGTH_MAX) keep(unknown, MOST_UNKNOWN, [keyId, now]);
      return null;
    }
    const known = open(stored, need.box);
    if (known.material !== null && isFresh) keep(kept, MOST_KEPT, [keyId, known]);
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
    forget(keyId) {
      changes.count += 1;
      kept.delete(keyId);
      unknown.delete(keyId);
      // Whoever asks from now on gets what is true now.
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
  return microBatch({
    most: MOST_LOOKUPS,
    atOnce: 1,
    run: async (keyIds) => {
      const found = await store.find([...new Set(keyIds)]);
      const byId = new Map(found.map((key) => [key.keyId, key]));
      return keyIds.map((keyId) => byId.get(keyId) ?? null);
    },
  });
}

/** The oldest gives way. */
function keep<Value>(
  kept: Map<string, Value>,
  most: number,
  [keyId, value]: readonly [string, Value],
): void {
  if (kept.size >= most && !kept.has(keyId)) {
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
    allows: allowList(key.addresses),
  };
}

/** Plain addresses and CIDR blocks; an empty list allows every address. */
function allowList(addresses: readonly string[]): (address: string) => boolean {
  if (addresses.length === 0) return () => true;
  const list = new BlockList();
  for (const entry of addresses) {
    const [address = "", bits] = entry.split("/");
    const family = isIPv6(address) ? "ipv6" : "ipv4";
    if (bits === undefined) list.addAddress(address, family);
    else list.addSubnet(address, Number(bits), family);
  }
  return (address) => {
    const plain = address.startsWith("::ffff:") ? address.slice("::ffff:".length) : address;
    return list.check(plain, isIPv6(plain) ? "ipv6" : "ipv4");
  };
}

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
 * Active keys with their secrets opened, in memory. A key that is not there is looked up together
 * with all others that are missing at that moment, one statement at a time; only keys that exist
 * are kept, so made-up ids cost no memory, and unknown, revoked and expired ids take one path.
 */
export interface KeyCache {
  /** Null when no active key has this id. @rule S5.R6 */
  find(keyId: string, now: UnixMs): KnownKey | Promise<KnownKey | null>;
  /** To be called after any change to a key. */
  forget(keyId: string): void;
  clear(): void;
  /** Stands in for the key of an unknown id, so that it costs the same work. */
  readonly dummy: KeyObject;
}

const MOST_KEPT = 200_000;
const MOST_LOOKUPS = 256;
const SECRET_BYTES = 32;

export function keyCache(need: {
  readonly store: Pick<KeyStore, "find">;
  readonly box: SecretBox;
}): KeyCache {
  const kept = new Map<string, KnownKey>();
  const changes = { count: 0 };
  const lookups = lookupBatch(need.store);

  const load = async (keyId: string, now: UnixMs): Promise<KnownKey | null> => {
    const before = changes.count;
    const stored = await lookups.submit(keyId);
    if (stored === null || !isActive(stored, now)) return null;
    const known = open(stored, need.box);
    // What was read before a change must not outlive it, and a secret that fails may be mended.
    if (known.material !== null && changes.count === before) keep(kept, known);
    return known;
  };

  return {
    find(keyId, now) {
      const known = kept.get(keyId);
      if (known !== undefined && isActive(known.key, now)) return known;
      kept.delete(keyId);
      return load(keyId, now);
    },
    forget(keyId) {
      changes.count += 1;
      kept.delete(keyId);
    },
    clear() {
      changes.count += 1;
      kept.clear();
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

function keep(kept: Map<string, KnownKey>, known: KnownKey): void {
  if (kept.size >= MOST_KEPT) {
    const [oldest] = kept.keys();
    if (oldest !== undefined) kept.delete(oldest);
  }
  kept.set(known.key.keyId, known);
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

import { secretForm } from "@propgate/contract";
import { accountId, type UnixMs, unixMs } from "@propgate/core";
import { expect, test } from "vitest";
import { parseMasterKeys } from "../../../base/src/keys/master-key.ts";
import { createSeededChance, systemChance } from "../../../base/src/random.ts";
import {
  accountIdOnShard,
  shardNumberOfKey,
} from "../../../ledger/src/storage/rows/shard-number.ts";
import { describeOnEachDatabase } from "../../../server/src/testing/each-database.ts";
import { createKeyStore } from "../storage/key-store.ts";
import type { CreatedKey, KeyRequest } from "./create-key.ts";
import { createKeyCache, type KeyCache } from "./key-cache.ts";
import { createKeyDesk, type KeyDesk } from "./manage-keys.ts";
import { createSealedKeyPages, rekey } from "./rekey.ts";
import { createSecretBox } from "./seal-secret.ts";

const OLD = Buffer.alloc(32, 1).toString("base64");
const BOTH = `1:${OLD},2:${Buffer.alloc(32, 2).toString("base64")}`;
const NOW = unixMs(1_767_614_400_000);
const OURS = accountId("0d5c2a34-59b8-4a3e-9d4f-000000000001");

async function newKey(desk: KeyDesk, request: KeyRequest): Promise<CreatedKey> {
  const made = await desk.create(request);
  if (made === null) throw new Error("the account has as many keys as it may have");
  return made;
}

await describeOnEachDatabase("keys", (database) => {
  const made = (now: UnixMs = NOW): { readonly desk: KeyDesk; readonly cache: KeyCache } => {
    const store = createKeyStore(database());
    const box = createSecretBox(parseMasterKeys(OLD), systemChance);
    const cache = createKeyCache({ stores: [store], box });
    return {
      cache,
      desk: createKeyDesk({ store, cache, box, chance: systemChance, clock: { now: () => now } }),
    };
  };

  test("an id is pk_ and 20 letters and digits, a secret propgate_sk_, 43 characters and their checksum [D8.keys] [D10.secretForm]", async () => {
    const { desk } = made();
    const { key, secret } = await newKey(desk, { accountId: OURS, scopes: ["read"] });
    expect(key.keyId).toMatch(/^pk_[0-9A-Za-z]{20}$/);
    expect(secret).toMatch(/^propgate_sk_[A-Za-z0-9_-]{43}[A-Za-z0-9]{6}$/);
    expect(secretForm(secret)).toBe("right");
    const rows = await database().query<{ key: string }>("select k::text as key from keys k", []);
    expect(rows.some((row) => row.key.includes(secret))).toBe(false);
  });

  test("the ids of keys on every database contain letters and digits alone [D8.keys]", async () => {
    const { desk } = made();
    for (const database of [0, 1, 62, 63]) {
      const on = accountIdOnShard(database, "0d5c2a34-59b8-4a3e-9d4f-000000000004");
      for (let count = 0; count < 20; count += 1) {
        const { key } = await newKey(desk, { accountId: on, scopes: ["read"] });
        expect(key.keyId).toMatch(database === 0 ? /^pk_[^\W_]{20}$/ : /^pk_[^\W_]{22}$/);
        expect(shardNumberOfKey(key.keyId)).toBe(database);
      }
    }
  });

  test("a key reads back as it was made, without its secret [S5.R3]", async () => {
    const { desk } = made();
    const request = {
      accountId: accountId("0d5c2a34-59b8-4a3e-9d4f-000000000002"),
      scopes: ["read", "place"],
      label: "bot",
      addresses: ["10.0.0.0/8", "::1"],
      expiresAtMs: unixMs(NOW + 1),
    } as const;
    const { key } = await newKey(desk, request);
    expect(await desk.list(request.accountId)).toEqual([
      {
        ...request,
        keyId: key.keyId,
        createdAtMs: NOW,
        revokedAtMs: null,
        pausedAtMs: null,
        lastUsedAtMs: null,
        lastUsedFrom: null,
        reads: 0,
        readWindowStartMs: 0,
        rejections: 0,
        cooldownUntilMs: null,
      },
    ]);
  });

  test("a revoked or expired key looks like one that never existed [S5.R6]", async () => {
    const { desk, cache } = made();
    const { key } = await newKey(desk, { accountId: OURS, scopes: ["read"] });
    expect(await cache.find(key.keyId, NOW)).toMatchObject({ key: { keyId: key.keyId } });
    expect(await desk.revoke(key.keyId)).toBe(true);
    expect(await cache.find(key.keyId, NOW)).toBeNull();
    expect(await desk.revoke(key.keyId)).toBe(false);
    const short = await newKey(desk, {
      accountId: OURS,
      scopes: ["read"],
      expiresAtMs: unixMs(NOW + 10),
    });
    expect(await cache.find(short.key.keyId, unixMs(NOW + 9))).not.toBeNull();
    expect(await cache.find(short.key.keyId, unixMs(NOW + 10))).toBeNull();
    expect(await cache.find("pk_never", NOW)).toBeNull();
  });

  test("an account gets exactly as many keys as it may have, also when more are asked for concurrently [D12.activeKeys]", async () => {
    const { desk } = made();
    const request = {
      accountId: accountId("0d5c2a34-59b8-4a3e-9d4f-000000000003"),
      scopes: ["read"] as const,
    };
    const requests = Array.from({ length: 120 }, () => desk.create(request));
    expect((await Promise.all(requests)).filter((made) => made !== null)).toHaveLength(50);
    expect(await desk.list(request.accountId)).toHaveLength(50);
  });

  test("a known key is found in memory, without a database query [D2.order]", async () => {
    const { desk, cache } = made();
    const { key } = await newKey(desk, { accountId: OURS, scopes: ["read"] });
    await cache.find(key.keyId, NOW);
    expect(cache.find(key.keyId, NOW)).not.toBeInstanceOf(Promise);
  });

  test("a key with an allow-list works from those addresses only [D8.keyLimits]", async () => {
    const { desk, cache } = made();
    const addresses = ["10.1.0.0/16", "192.0.2.7", "2001:db8::/32"];
    const { key } = await newKey(desk, { accountId: OURS, scopes: ["read"], addresses });
    const known = await cache.find(key.keyId, NOW);
    const from = ["10.1.2.3", "::ffff:10.1.2.3", "192.0.2.7", "2001:db8::1", "10.2.0.1", "::1", ""];
    expect(from.map((address) => known?.allows(address))).toEqual([
      true,
      true,
      true,
      true,
      false,
      false,
      false,
    ]);
  });

  test("re-keying seals every secret anew, and they open as before [D8.rekey]", async () => {
    const { desk } = made();
    const store = createKeyStore(database());
    const { key, secret } = await newKey(desk, { accountId: OURS, scopes: ["read"] });
    const box = createSecretBox(parseMasterKeys(BOTH), createSeededChance("rekey"));
    const first = await rekey(createSealedKeyPages({ store, box }));
    expect(first.resealed).toBeGreaterThan(0);
    expect(first.unreadable).toEqual([]);
    expect(await rekey(createSealedKeyPages({ store, box }))).toEqual({
      resealed: 0,
      unreadable: [],
    });
    const [stored] = await store.find([key.keyId]);
    expect(stored && box.isCurrent(stored.sealedSecret)).toBe(true);
    expect(stored && box.open(key.keyId, stored.sealedSecret)).toBe(secret);
  });
});

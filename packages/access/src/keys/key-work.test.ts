import { unixMs } from "@propgate/core";
import { beforeAll, describe, expect, test } from "vitest";
import { parseMasterKeys } from "../../../base/src/keys/master-key.ts";
import { systemChance } from "../../../base/src/random.ts";
import {
  type Harness,
  openHarness,
  START_MS,
  TEST_MASTER_KEY,
} from "../../../server/src/testing/harness.ts";
import type { StoredKey } from "../storage/api-key.ts";
import { createKeyCache } from "./key-cache.ts";
import { createSecretBox } from "./seal-secret.ts";

/** The tests of this file count the database queries that a wrong guess causes. They measure no time. */
const NOW = unixMs(START_MS);
const LATER = unixMs(START_MS + 5_000);
const BOX = createSecretBox(parseMasterKeys(TEST_MASTER_KEY), systemChance);

/** A store that counts its lookups, and can hold their answers until the test releases them. */
function countedStore() {
  const lookups: (readonly string[])[] = [];
  const stored = new Map<string, StoredKey>();
  const held: (() => void)[] = [];
  let isHeld = false;
  return {
    lookups,
    there: stored,
    hold: () => {
      isHeld = true;
    },
    release: () => {
      isHeld = false;
      for (const go of held.splice(0)) go();
    },
    async find(keyIds: readonly string[]) {
      lookups.push(keyIds);
      const found = keyIds.flatMap((keyId) => stored.get(keyId) ?? []);
      if (isHeld) await new Promise<void>((resolve) => held.push(resolve));
      return found;
    },
  };
}

function storedKey(keyId: string, over: Partial<StoredKey> = {}): StoredKey {
  return {
    keyId,
    scopes: ["read"],
    label: "",
    addresses: [],
    createdAtMs: NOW,
    expiresAtMs: null,
    revokedAtMs: null,
    pausedAtMs: null,
    sealedSecret: BOX.seal(keyId, "sk_x"),
    accountId: "0d5c2a34-59b8-4a3e-9d4f-000000000001" as StoredKey["accountId"],
    ...over,
  };
}

describe("the work that an id costs [D2.4] [S5.R6]", () => {
  test("unknown, revoked and known ids cost one lookup, and none when they are repeated", async () => {
    const store = countedStore();
    const cache = createKeyCache({ stores: [store], box: BOX });
    store.there.set("pk_known", storedKey("pk_known"));
    store.there.set("pk_revoked", storedKey("pk_revoked", { revokedAtMs: NOW }));
    for (const keyId of ["pk_known", "pk_revoked", "pk_unknown"]) {
      const first = await cache.find(keyId, NOW);
      expect(first === null).toBe(keyId !== "pk_known");
      for (let again = 0; again < 20; again += 1) {
        expect(cache.find(keyId, NOW)).not.toBeInstanceOf(Promise);
      }
    }
    expect(store.lookups).toEqual([["pk_known"], ["pk_revoked"], ["pk_unknown"]]);
    // An id counts as unknown only for a short time.
    await cache.find("pk_unknown", LATER);
    expect(store.lookups).toHaveLength(4);
  });

  test("concurrent requests for one id share a lookup, and one statement runs at a time", async () => {
    const store = countedStore();
    const cache = createKeyCache({ stores: [store], box: BOX });
    store.hold();
    const asking = Array.from({ length: 100 }, () => cache.find("pk_first", NOW));
    await new Promise((resolve) => setImmediate(resolve));
    for (let guess = 0; guess < 600; guess += 1) asking.push(cache.find(`pk_${guess}`, NOW));
    asking.push(cache.find("pk_first", NOW));
    await new Promise((resolve) => setImmediate(resolve));
    expect(store.lookups).toEqual([["pk_first"]]);
    store.release();
    await Promise.all(asking.map(async (one) => one));
    expect(store.lookups.map((keyIds) => keyIds.length)).toEqual([1, 256, 256, 88]);
  });

  test("invented ids use bounded memory and displace no key", async () => {
    const store = countedStore();
    const cache = createKeyCache({ stores: [store], box: BOX });
    store.there.set("pk_known", storedKey("pk_known"));
    await cache.find("pk_known", NOW);
    const guesses = Array.from({ length: 10_001 }, (_, index) => `pk_${index}`);
    await Promise.all(guesses.map(async (keyId) => cache.find(keyId, NOW)));
    expect(cache.find("pk_known", NOW)).not.toBeInstanceOf(Promise);
    expect(cache.find("pk_10000", NOW)).toBeNull();
    expect(cache.find("pk_0", NOW)).toBeInstanceOf(Promise);
    const long = `pk_${"x".repeat(9_000)}`;
    await cache.find(long, NOW);
    expect(cache.find(long, NOW)).toBeInstanceOf(Promise);
  });

  test("a new key works immediately, also while its id is being looked up", async () => {
    const store = countedStore();
    const cache = createKeyCache({ stores: [store], box: BOX });
    expect(await cache.find("pk_new", NOW)).toBeNull();
    store.hold();
    const early = cache.find("pk_new", LATER);
    await new Promise((resolve) => setImmediate(resolve));
    store.there.set("pk_new", storedKey("pk_new"));
    cache.forget("pk_new");
    const late = cache.find("pk_new", LATER);
    store.release();
    expect(await early).toBeNull();
    expect(await late).toMatchObject({ key: { keyId: "pk_new" } });
    expect(cache.find("pk_new", LATER)).not.toBeInstanceOf(Promise);
  });
});

describe("the cost of an unauthenticated request [D2.4] [D2.6]", () => {
  let service: Harness;
  beforeAll(async () => {
    service = await openHarness();
    return () => service.close();
  });

  test("an unknown key and a bad signature cost no statement each", async () => {
    expect((await service.get("account")).status).toBe(200);
    const unknown = { ...service.signer, keyId: "pk_00000000000000000000" };
    const wrong = { ...service.signer, secret: "sk_wrong" };
    expect((await service.get("account", { signer: unknown })).status).toBe(401);
    // Every statement on `keys` fails from here on, and would make the answer a 500.
    await service.database.query("alter table keys rename to hidden");
    for (const [signer, error] of [
      [unknown, "Invalid key"],
      [wrong, "Bad signature"],
    ] as const) {
      for (const body of ["", JSON.stringify({ trade: {} })]) {
        const reply =
          body === ""
            ? await service.get("account", { signer })
            : await service.order({}, { signer, body });
        expect([reply.status, reply.json()]).toEqual([401, { error }]);
      }
    }
    await service.database.query("alter table hidden rename to keys");
    expect((await service.get("account")).status).toBe(200);
  });

  test("an unknown key costs the hash and HMAC of a known one", async () => {
    const { dummy } = service.cache;
    let stoodIn = 0;
    Object.defineProperty(service.cache, "dummy", {
      get() {
        stoodIn += 1;
        return dummy;
      },
    });
    const unknown = { ...service.signer, keyId: "pk_11111111111111111111" };
    for (let time = 0; time < 3; time += 1) await service.get("account", { signer: unknown });
    expect(stoodIn).toBe(3);
    expect((await service.get("account")).status).toBe(200);
    expect(stoodIn).toBe(3);
  });

  test("a new key works immediately", async () => {
    const made = await service.newKey();
    expect((await service.get("account", { signer: made })).status).toBe(200);
  });
});

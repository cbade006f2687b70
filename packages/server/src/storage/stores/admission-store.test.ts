import { accountId, unixMs } from "@propgate/core";
import { beforeAll, expect, test } from "vitest";
import { describeOnEachDatabase } from "../../testing/each-database.ts";
import { admissionStore } from "./admission-store.ts";
import { keyStore } from "./key-store.ts";

const MINUTE = 60_000;
const START = 1_767_614_400_000;
const moment = { now: unixMs(START + 5), windowStartMs: START };
const guardAt = (now: number) => ({
  now: unixMs(now),
  sinceMs: now - 10 * MINUTE,
  most: 30,
  cooldownUntilMs: now + 15 * MINUTE,
});

await describeOnEachDatabase("admission", (database) => {
  beforeAll(async () => {
    for (const keyId of ["k1", "k2", "guard"])
      await keyStore(database()).insert({
        keyId,
        accountId: accountId("0d5c2a34-59b8-4a3e-9d4f-000000000001"),
        scopes: ["read"],
        label: "",
        addresses: [],
        createdAtMs: unixMs(START),
        expiresAtMs: null,
        revokedAtMs: null,
        sealedSecret: Buffer.of(1),
      });
  });
  const ask = (keyId: string, nonce: string, counted = true) => ({
    keyId,
    nonce,
    counted,
    isWrite: false,
    address: "::1",
  });

  test("a batch tells for each key which nonces were fresh and what is used [S5.R2] [S8.read]", async () => {
    const store = admissionStore(database());
    const odd = "a\"b\\{},'";
    const first = await store.admit(
      [ask("k1", odd), ask("k1", "y", false), ask("k2", odd)],
      moment,
    );
    expect(first.get("k1")).toMatchObject({ reads: 1, freshNonces: new Set([odd, "y"]) });
    expect(first.get("k2")).toMatchObject({ reads: 1, freshNonces: new Set([odd]) });
    const second = await store.admit([ask("k1", odd), ask("k1", "z"), ask("none", "z")], moment);
    expect(second.get("k1")).toMatchObject({ reads: 2, freshNonces: new Set(["z"]) });
    expect(second.has("none")).toBe(false);
  });

  test("the next window starts at nothing, and a late one does not turn it back [S8.read]", async () => {
    const store = admissionStore(database());
    const next = { now: unixMs(START + MINUTE), windowStartMs: START + MINUTE };
    expect((await store.admit([ask("k1", "n1")], next)).get("k1")?.reads).toBe(1);
    const late = await store.admit([ask("k1", "n2")], moment);
    expect(late.get("k1")).toMatchObject({ reads: 2, windowStartMs: START + MINUTE });
  });

  test("an unknown account is told as such, a revoked key as not active [S5.R6]", async () => {
    await keyStore(database()).revoke("k2", unixMs(START));
    const admitted = await admissionStore(database()).admit([ask("k2", "revoked")], moment);
    expect(admitted.get("k2")).toMatchObject({ active: false, account: null });
  });

  test("last use is remembered [D8.keyLimits]", async () => {
    await admissionStore(database()).admit([{ ...ask("k1", "use"), address: "192.0.2.1" }], moment);
    const keys = await keyStore(database()).list(null, 0);
    const key = keys.find(({ keyId }) => keyId === "k1");
    expect(key).toMatchObject({ lastUsedAtMs: moment.now, lastUsedFrom: "192.0.2.1" });
  });

  test("the guard's window slides by the millisecond, and a running pause stays [D2.guard]", async () => {
    const store = admissionStore(database());
    const look = async () => {
      const keys = await keyStore(database()).list(null, 0);
      const key = keys.find(({ keyId }) => keyId === "guard");
      return [key?.rejections, key?.cooldownUntilMs];
    };
    await store.reject(
      [
        { keyId: "guard", count: 20 },
        { keyId: "guard", count: 9 },
      ],
      guardAt(START),
    );
    expect(await look()).toEqual([29, null]);
    await store.reject([{ keyId: "guard", count: 1 }], guardAt(START + 10 * MINUTE + 1));
    expect(await look()).toEqual([1, null]);
    await store.reject([{ keyId: "guard", count: 29 }], guardAt(START + 20 * MINUTE + 1));
    const pausedUntil = START + 35 * MINUTE + 1;
    expect(await look()).toEqual([0, pausedUntil]);
    await store.reject([{ keyId: "guard", count: 30 }], guardAt(START + 21 * MINUTE));
    expect(await look()).toEqual([0, pausedUntil]);
    await store.reject([{ keyId: "guard", count: 3 }], guardAt(START + 22 * MINUTE));
    await store.succeed(["guard"]);
    expect(await look()).toEqual([0, pausedUntil]);
  });
});

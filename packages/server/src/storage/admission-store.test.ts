import { unixMs } from "@propgate/core";
import { beforeEach, expect, test } from "vitest";
import { createKeyStore } from "../../../access/src/storage/key-store.ts";
import { createReceiptStore } from "../../../ledger/src/storage/stores/receipt-store.ts";
import { describeOnEachDatabase } from "../testing/each-database.ts";
import { linkMadeSubaccount } from "../testing/made-account-link.ts";
import { madeStoredKey } from "../testing/made-stored-key.ts";
import type { Budget } from "./admission-port.ts";
import { createAdmissionStore } from "./admission-store.ts";

const MINUTE = 60_000;
const START = 1_767_614_400_000;
const refused = { hourStartMs: START, storedMax: 3_600 };
const moment = { now: unixMs(START + 5), windowStartMs: START, refused };
const guardAt = (now: number) => ({
  now: unixMs(now),
  sinceMs: now - 10 * MINUTE,
  rejectionsMax: 30,
  cooldownUntilMs: now + 15 * MINUTE,
});

await describeOnEachDatabase("admission", (database) => {
  beforeEach(async () => {
    for (const table of ["keys", "key_usage", "nonces", "nonce_blocks"])
      await database().query(`delete from ${table}`);
    for (const keyId of ["k1", "k2", "guard", "often", "greedy"])
      await createKeyStore(database()).insert(madeStoredKey(keyId, START), {
        activeMax: 50,
        by: "test",
      });
  });
  const ask = (keyId: string, nonce: string, budget: Budget | null = "reads") => ({
    keyId,
    nonce,
    budget,
    isWrite: false,
    isPlacement: false,
    address: "::1",
    signedAtMs: START,
    hasScope: true,
  });

  test("a batch returns each key's fresh nonces and used budgets [S5.R2] [S8.read]", async () => {
    const store = createAdmissionStore(database());
    const odd = "a\"b\\{},'";
    const first = await store.admit([ask("k1", odd), ask("k1", "y", null), ask("k2", odd)], moment);
    expect(first.get("k1")).toMatchObject({ reads: 1, freshNonces: new Set([odd, "y"]) });
    expect(first.get("k2")).toMatchObject({ reads: 1, freshNonces: new Set([odd]) });
    const second = await store.admit([ask("k1", odd), ask("k1", "z"), ask("none", "z")], moment);
    expect(second.get("k1")).toMatchObject({ reads: 2, freshNonces: new Set(["z"]) });
    expect(second.has("none")).toBe(false);
  });

  test("a key is admitted with the status, version and network of its account", async () => {
    const linked = await linkMadeSubaccount(database());
    await createKeyStore(database()).insert(
      { ...madeStoredKey("linked", START), accountId: linked },
      { activeMax: 50, by: "test" },
    );
    const admitted = await createAdmissionStore(database()).admit([ask("linked", "n")], moment);
    const headHash = expect.stringMatching(/^[0-9a-f]{32}$/);
    const account = { status: "active", version: 1, network: "vanta", headHash };
    expect(admitted.get("linked")?.account).toEqual(account);
    const unbound = await createAdmissionStore(database()).admit([ask("k2", "bound")], moment);
    expect(unbound.get("k2")?.account).toBeNull();
  });

  test("reads and receipts are counted apart in one window [D10.receiptBudget]", async () => {
    const store = createAdmissionStore(database());
    const later = { now: unixMs(START + 7 * MINUTE), windowStartMs: START + 7 * MINUTE, refused };
    const requests = [ask("k2", "r1", "receipts"), ask("k2", "r2", "receipts"), ask("k2", "r3")];
    expect((await store.admit(requests, later)).get("k2")).toMatchObject({ reads: 1, receipts: 2 });
    const again = await store.admit(
      [ask("k2", "r1", "receipts"), ask("k2", "r4", "receipts")],
      later,
    );
    expect(again.get("k2")).toMatchObject({ reads: 1, receipts: 3 });
    const next = { now: unixMs(START + 8 * MINUTE), windowStartMs: START + 8 * MINUTE, refused };
    expect((await store.admit([ask("k2", "r5")], next)).get("k2")).toMatchObject({
      reads: 1,
      receipts: 0,
    });
  });

  test("the next window starts at zero, and a late request does not reset it [S8.read]", async () => {
    const store = createAdmissionStore(database());
    const next = { now: unixMs(START + MINUTE), windowStartMs: START + MINUTE, refused };
    expect((await store.admit([ask("k1", "n1")], next)).get("k1")?.reads).toBe(1);
    const late = await store.admit([ask("k1", "n2")], moment);
    expect(late.get("k1")).toMatchObject({ reads: 2, windowStartMs: START + MINUTE });
  });

  test("a window of the future, which a wrong clock has left, refuses no read [D12.oneClock]", async () => {
    const store = createAdmissionStore(database());
    const ahead = START + 22 * 24 * 60 * MINUTE;
    const far = {
      now: unixMs(ahead),
      windowStartMs: ahead,
      refused: { ...refused, hourStartMs: ahead },
    };
    await store.admit([ask("k1", "n1"), ask("k1", "n2")], far);
    const now = await store.admit([ask("k1", "n3")], moment);
    expect(now.get("k1")).toMatchObject({ reads: 1, windowStartMs: START });
    expect(now.get("k1")?.freshNonces).toEqual(new Set(["n3"]));
  });

  test("a pause of the guard that a wrong clock has begun does not last until then [D12.oneClock]", async () => {
    const store = createAdmissionStore(database());
    const ahead = START + 22 * 24 * 60 * MINUTE;
    await store.reject([{ keyId: "k1", count: 30 }], guardAt(ahead));
    expect((await store.admit([ask("k1", "n4")], moment)).get("k1")?.cooldownUntilMs).toBeNull();
    await store.reject([{ keyId: "k1", count: 30 }], guardAt(START));
    const paused = (await store.admit([ask("k1", "n5")], moment)).get("k1");
    expect(paused?.cooldownUntilMs).toBe(START + 15 * MINUTE);
  });

  test("a key that is paused or revoked is admitted on no node, and its request stores no data [S5.R6] [D2.order]", async () => {
    const account = madeStoredKey("", START).accountId;
    const stored = async () => [
      await createKeyStore(database()).list(account, 0),
      await database().query("select * from nonces", []),
    ];
    const admit = (...requests: readonly ReturnType<typeof ask>[]) =>
      createAdmissionStore(database()).admit(requests, moment);
    const stop = async (column: "paused_at_ms" | "revoked_at_ms"): Promise<void> => {
      await database().query(`update keys set ${column} = $1 where key_id = 'k2'`, [START]);
      const before = await stored();
      expect((await admit(ask("k2", "late"))).has("k2")).toBe(false);
      expect(await stored()).toEqual(before);
    };
    await stop("paused_at_ms");
    expect((await admit(ask("k2", "late"), ask("k1", "on"))).get("k1")?.reads).toBe(1);
    await database().query("update keys set paused_at_ms = null where key_id = 'k2'", []);
    expect((await admit(ask("k2", "late"))).get("k2")?.freshNonces).toEqual(new Set(["late"]));
    await stop("revoked_at_ms");
  });

  test("the last use is stored [D8.lastUse]", async () => {
    await createAdmissionStore(database()).admit(
      [{ ...ask("k1", "use"), address: "192.0.2.1" }],
      moment,
    );
    const keys = await createKeyStore(database()).list(madeStoredKey("", START).accountId, 0);
    const key = keys.find(({ keyId }) => keyId === "k1");
    expect(key).toMatchObject({ lastUsedAtMs: moment.now, lastUsedFrom: "192.0.2.1" });
  });

  test("the guard's window slides by the millisecond, and a running pause continues [D2.guard]", async () => {
    const store = createAdmissionStore(database());
    const look = async () => {
      const keys = await createKeyStore(database()).list(madeStoredKey("", START).accountId, 0);
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

  test("a refused order above the maximum stores nothing, and is never accepted later [D10.pausedKey]", async () => {
    const store = createAdmissionStore(database());
    const pausedUntil = START + 15 * MINUTE;
    const at = (now: number) => ({
      now: unixMs(now),
      windowStartMs: now - (now % MINUTE),
      refused: { hourStartMs: now - (now % (60 * MINUTE)), storedMax: 2 },
    });
    const order = (nonce: string, signedAtMs: number) => ({
      ...ask("often", nonce, null),
      isWrite: true,
      isPlacement: true,
      signedAtMs,
    });
    const admit = async (now: number, ...requests: readonly ReturnType<typeof order>[]) => {
      const key = (await store.admit(requests, at(now))).get("often");
      return [[...(key?.freshNonces ?? [])].sort(), [...(key?.unstoredNonces ?? [])].sort()];
    };
    expect(await admit(START, order("before", START))).toEqual([["before"], []]);
    await store.reject([{ keyId: "often", count: 30 }], guardAt(START));
    expect(await admit(START + 1, order("p1", START), order("p2", START))).toEqual([
      ["p1", "p2"],
      [],
    ]);
    // A renewal of the switch places no order, so the cooldown does not refuse it.
    const renewal = { ...order("renewal", START + 1), isPlacement: false };
    expect(await admit(START + 1, renewal)).toEqual([["renewal"], []]);
    expect(await admit(START + 2, order("p3", START + 2), order("p4", START + 9))).toEqual([
      [],
      ["p3", "p4"],
    ]);
    expect(
      await admit(START + 3, order("p3", START + 2), order("before", START), order("p1", START)),
    ).toEqual([[], ["p3"]]);
    const [stored] = await database().query<{ count: number }>(
      "select count(*)::int as count from nonces where key_id = 'often'",
      [],
    );
    expect(stored?.count).toBe(4);
    // The cooldown is over: a request that was refused stays refused, and one that is signed again is accepted once.
    expect(await admit(pausedUntil, order("p3", START + 2), order("p4", START + 9))).toEqual([
      [],
      ["p3", "p4"],
    ]);
    expect(await admit(pausedUntil, order("new", START + 10))).toEqual([["new"], []]);
    expect(await admit(pausedUntil, order("new", START + 10))).toEqual([[], []]);
    expect(
      await admit(pausedUntil, { ...order("read", START), isWrite: false, isPlacement: false }),
    ).toEqual([["read"], []]);
  });

  test("reads over their budget and requests without the scope count towards the maximum [D13.withdrawn]", async () => {
    const store = createAdmissionStore(database());
    const at = { ...moment, refused: { ...refused, storedMax: 2 } };
    const many = Array.from({ length: 120 }, (_, index) => ask("greedy", `r${index}`));
    await store.admit(many, at);
    const over = await store.admit([ask("greedy", "o1"), ask("greedy", "o2")], at);
    expect(over.get("greedy")?.freshNonces.size).toBe(2);
    const scopeless = { ...ask("greedy", "s1", null), hasScope: false };
    const refusals = await store.admit([ask("greedy", "o3"), scopeless], at);
    expect(refusals.get("greedy")).toMatchObject({
      freshNonces: new Set(),
      unstoredNonces: new Set(["o3", "s1"]),
      reads: 122,
      unstoredReadMs: START,
    });
    const fateOf = async (nonce: string) =>
      (await createReceiptStore(database()).read({ keyId: "greedy", nonce }))?.fate;
    // Only a request whose nonce is stored withdraws that nonce. @rule D13.withdrawn
    expect([await fateOf("o1"), await fateOf("o3")]).toEqual(["withdrawn", undefined]);
    const other = await store.admit([ask("k1", "unharmed")], at);
    expect(other.get("k1")?.freshNonces.size).toBe(1);
  });
});

import { unixMs } from "@propgate/core";
import { describe, expect, test } from "vitest";
import type { Database } from "../../../../ledger/src/storage/databases/database.ts";
import { personId } from "../../../../ledger/src/storage/rows/person-id.ts";
import { describeOnEachDatabase } from "../../../../server/src/testing/each-database.ts";
import { createManualTime } from "../../../../server/src/testing/manual-time.ts";
import { createKnownBrowserStore } from "../../storage/known-browser-store.ts";
import { createPersonStore } from "../../storage/person-store.ts";
import { createFailureLimits, waitAfter } from "./failure-limits.ts";

describe("the wait after failures", () => {
  test.each([
    [-3, 0],
    [0, 0],
    [1, 30_000],
    [2, 60_000],
    [5, 480_000],
    [6, 900_000],
    [7, 900_000],
    [1e9, 900_000],
  ])("%i failures beyond the free ones cost %i ms", (beyond, waitMs) => {
    expect(waitAfter(beyond)).toBe(waitMs);
  });
});

await describeOnEachDatabase("the limits of failures", (database) => {
  const open = (on: Database = database()) => {
    const time = createManualTime(1_767_614_400_000);
    const limits = createFailureLimits({ database: on, clock: time.clock });
    const byName = (name: string, address: string, browser: Uint8Array | null = null) =>
      limits.begin({ by: "name", name, browser }, address);
    return { time, limits, byName };
  };
  const waits = (waitMs: number) => ({ ok: false, waitMs });

  test("the limits of failures hold for several concurrent nodes together", async () => {
    const nodes = [open(), open(), open()];
    const attempts = Array.from({ length: 60 }, (_, n) => {
      const node = nodes[n % nodes.length] ?? open();
      return node.byName("shared", `198.51.100.${n}`);
    });
    const answers = await Promise.all(attempts);
    expect(answers.filter(({ ok }) => ok)).toHaveLength(31);
  });

  test("concurrent attempts with crossed names and addresses do not deadlock", async () => {
    const { byName } = open();
    const pairs = Array.from({ length: 40 }, (_, n) => [`n${n % 7}`, `10.0.0.${n % 5}`] as const);
    const answers = await Promise.all(pairs.map(([name, address]) => byName(name, address)));
    expect(answers).toHaveLength(40);
  });

  test("failures are forgotten after a day without one, and leave no row", async () => {
    const { time, limits, byName } = open();
    await time.pass(10 * 86_400_000);
    for (let count = 0; count < 6; count += 1) await byName("slow", "192.0.2.7");
    expect(await byName("slow", "192.0.2.7")).toEqual(waits(30_000));
    await time.pass(86_400_001);
    const attempt = await byName("slow", "192.0.2.7");
    if (!attempt.ok) throw new Error("it is blocked still");
    await attempt.recordSuccess();
    await time.pass(86_400_001);
    await limits.begin({ by: "passkey" }, "192.0.2.8");
    const rows = await database().query("select subject, failures from sign_in_failures", []);
    expect(rows).toEqual([{ subject: expect.stringMatching(/^address:[\w-]{43}$/), failures: 1 }]);
  });

  test("an attempt whose password was not checked is un-counted", async () => {
    const { byName } = open();
    for (let count = 0; count < 20; count += 1) {
      const attempt = await byName("busy", "192.0.2.9");
      if (!attempt.ok) throw new Error("it is blocked");
      await attempt.uncount();
    }
  });

  test("an attacker's guesses block a name for the attacker's network alone", async () => {
    const { byName } = open();
    for (let count = 0; count < 6; count += 1) await byName("victim", "198.51.100.200");
    expect(await byName("victim", "198.51.100.200")).toEqual(waits(30_000));
    expect(await byName("victim", "203.0.113.5")).toMatchObject({ ok: true });
  });

  test("guesses from many networks block a name, but not for its person's own browser or session", async () => {
    const { limits, byName } = open();
    const id = personId("0d5c2a34-59b8-4a3e-9d4f-0000000000a1");
    const person = { personId: id, name: "Besieged", role: "owner", ownerId: null } as const;
    const atMs = unixMs(0);
    const times = { externalId: null, createdAtMs: atMs, disabledAtMs: null };
    await createPersonStore(database()).insert({ ...person, ...times }, "besieged");
    const [own, other] = [new Uint8Array([1]), new Uint8Array([2])];
    const browser = { tokenHash: own, replaced: null, atMs, max: 1 };
    await createKnownBrowserStore(database()).put(id, browser);
    for (let count = 0; count < 31; count += 1) await byName("besieged", `198.18.${count}.1`);
    expect(await byName("besieged", "203.0.113.77")).toEqual(waits(30_000));
    expect(await byName("besieged", "203.0.113.77", other)).toEqual(waits(30_000));
    expect(await byName("besieged", "203.0.113.77", own)).toMatchObject({ ok: true });
    const signedIn = () => limits.begin({ by: "person", personId: id }, "203.0.113.78");
    expect(await signedIn()).toMatchObject({ ok: true });
    // Neither the known browser nor the signed-in person may guess without limit.
    for (let count = 0; count < 5; count += 1) {
      await byName("besieged", "203.0.113.77", own);
      await signedIn();
    }
    expect(await byName("besieged", "203.0.113.77", own)).toEqual(waits(30_000));
    expect(await signedIn()).toEqual(waits(30_000));
  });

  test("a flood takes two concurrent transactions, and one from a blocked address almost none", async () => {
    const counted = countTransactions(database());
    const { time, byName } = open(counted.database);
    await Promise.all(Array.from({ length: 64 }, (_, n) => byName(`flood ${n}`, `192.0.2.${n}`)));
    expect(counted.max()).toBe(2);
    const flood = () =>
      Promise.all(Array.from({ length: 64 }, (_, n) => byName(`one ${n}`, "192.0.2.100")));
    await flood();
    const before = counted.count();
    const answers = await flood();
    expect(answers.every(({ ok }) => !ok)).toBe(true);
    expect(counted.count()).toBe(before);
    // A change by another node is seen at most a second later.
    await time.pass(1_000);
    await flood();
    expect(counted.count() - before).toBeLessThanOrEqual(2);
  });

  test("sign-ins beyond 64 waiting ones are asked to retry", async () => {
    const { byName } = open();
    const answers = await Promise.all(
      Array.from({ length: 80 }, (_, n) => byName(`queue ${n}`, `198.19.${n}.1`)),
    );
    expect(answers.filter(({ ok }) => ok)).toHaveLength(66);
    expect(answers.at(-1)).toEqual({ ok: false, waitMs: null });
  });
});

/** A database that counts its transactions and records the greatest number of concurrent ones. */
function countTransactions(database: Database) {
  let [count, open, greatest] = [0, 0, 0];
  const counted: Database = {
    ...database,
    query: (text, parameters) => database.query(text, parameters),
    async transaction(work) {
      count += 1;
      open += 1;
      greatest = Math.max(greatest, open);
      return database.transaction(work).finally(() => {
        open -= 1;
      });
    },
  };
  return { database: counted, count: () => count, max: () => greatest };
}

import { accountId, ownerId, unixMs } from "@propgate/core";
import { beforeEach, describe, expect, test } from "vitest";
import { createKeyStore } from "../../../access/src/storage/key-store.ts";
import { systemChance } from "../../../base/src/random.ts";
import type { Queryable } from "../../../ledger/src/storage/databases/database.ts";
import { accountIdOnShard } from "../../../ledger/src/storage/rows/shard-number.ts";
import { createShards } from "../../../ledger/src/storage/shards/shards.ts";
import { addAlert, type NewAlert } from "../../../ledger/src/storage/stores/new-alerts.ts";
import { createAdmissionStore } from "../../../server/src/storage/admission-store.ts";
import { describeOnEachDatabase } from "../../../server/src/testing/each-database.ts";
import { madeStoredKey } from "../../../server/src/testing/made-stored-key.ts";
import { openTestDatabase } from "../../../server/src/testing/open-test-database.ts";
import { addBareAccount } from "../../../server/src/testing/raw-journal.ts";
import { createAlertStore } from "./alert-store.ts";
import { numberAlerts } from "./number-alerts.ts";

const START = 1_767_571_200_000;
const MINUTE = 60_000;

interface Row {
  readonly type: string;
  readonly owner_id: string | null;
  readonly number: string | null;
  readonly data: string;
}

const rows = (database: Queryable): Promise<readonly Row[]> =>
  database.query<Row>("select type, owner_id, number, data from alerts order by recorded", []);
const said = async (database: Queryable): Promise<readonly (readonly [string, unknown])[]> =>
  (await rows(database)).map(({ type, data }) => [type, JSON.parse(data)]);

function made(owner: string | null, cause: string): NewAlert {
  const at = { ownerId: owner === null ? null : ownerId(owner), accountId: null };
  return { type: "session.opened", cause, ...at, atMs: unixMs(START), data: { address: cause } };
}

await describeOnEachDatabase("alerts", (database) => {
  const account = accountId(systemChance.uuid());
  beforeEach(async () => {
    for (const table of ["alerts", "alert_heads", "accounts", "keys", "key_usage"]) {
      await database().query(`delete from ${table}`);
    }
    await addBareAccount(database(), account, "owner-1");
  });
  const addKey = (keyId: string, activeMax = 50): Promise<boolean> =>
    createKeyStore(database()).insert(
      { ...madeStoredKey(keyId, START), accountId: account, label: "bot" },
      { activeMax, by: "Ann" },
    );

  test("a key that is made or revoked is an alert of its owner, by the person who did it, once [D9.alerts]", async () => {
    const keys = createKeyStore(database());
    await addKey("k1");
    await addKey("k2");
    await keys.revoke("k1", { atMs: unixMs(START), by: "Bob" });
    await keys.revoke("k1", { atMs: unixMs(START), by: "Bob" });
    await keys.changeOfOwner(ownerId("owner-1"), { change: "pause", atMs: unixMs(START) });
    await keys.changeOfOwner(ownerId("owner-1"), {
      change: "revoke",
      atMs: unixMs(START),
      by: "Eve",
    });
    const of = (keyId: string, by: string) => ({ keyId, label: "bot", by });
    expect(await said(database())).toEqual([
      ["key.created", of("k1", "Ann")],
      ["key.created", of("k2", "Ann")],
      ["key.revoked", of("k1", "Bob")],
      ["key.revoked", of("k2", "Eve")],
    ]);
    expect((await rows(database())).map((row) => row.owner_id)).toEqual(Array(4).fill("owner-1"));
  });

  test("a key that the maximum refuses is no alert [D9.alerts]", async () => {
    await addKey("k1");
    expect(await addKey("k2", 1)).toBe(false);
    expect(await said(database())).toHaveLength(1);
  });

  test("each pause by the failure guard is an alert, and a rejection during a pause is none [D9.alerts]", async () => {
    await addKey("k1");
    const reject = (now: number, count: number): Promise<void> =>
      createAdmissionStore(database()).reject([{ keyId: "k1", count }], {
        now: unixMs(now),
        sinceMs: now - 10 * MINUTE,
        rejectionsMax: 30,
        cooldownUntilMs: now + 15 * MINUTE,
      });
    await reject(START, 29);
    await reject(START + 1, 1);
    await reject(START + 2, 40);
    await reject(START + 20 * MINUTE, 30);
    const paused = (untilMs: number) => ({
      keyId: "k1",
      label: "bot",
      by: "failure guard",
      untilMs,
    });
    expect((await said(database())).slice(1)).toEqual([
      ["key.paused", paused(START + 1 + 15 * MINUTE)],
      ["key.paused", paused(START + 35 * MINUTE)],
    ]);
  });

  test("an alert whose transaction is rolled back never was [D9.alerts]", async () => {
    const failing = database().transaction(async (transaction) => {
      await addAlert(transaction, made("owner-1", "a"));
      throw new Error("rolled back");
    });
    await expect(failing).rejects.toThrow("rolled back");
    expect(await said(database())).toEqual([]);
  });

  test("the alerts of each owner are numbered from 1 without a gap, also by several nodes at a time [D9.alerts] [D9.alertNumbers]", async () => {
    const store = createAlertStore(database());
    const numbers = async (): Promise<Readonly<Record<string, readonly string[]>>> => {
      const found = Map.groupBy(await rows(database()), (row) => row.owner_id ?? "operator");
      return Object.fromEntries(
        [...found].map(([owner, own]) => [owner, own.map(({ number }) => String(number))]),
      );
    };
    for (const [index, owner] of ["a", "b", "a", null, "a", null].entries()) {
      await addAlert(database(), made(owner, `first ${index}`));
    }
    await Promise.all([store.number(null), store.number(null), store.number(null)]);
    expect(await numbers()).toEqual({ a: ["1", "2", "3"], b: ["1"], operator: ["1", "2"] });
    await addAlert(database(), made("b", "second"));
    await addAlert(database(), made("b", "second"));
    expect(await numbers()).toMatchObject({ b: ["1", "null"] });
    await store.number(null);
    expect(await numbers()).toMatchObject({ a: ["1", "2", "3"], b: ["1", "2"] });
  });
});

describe("the alerts of several databases", () => {
  test("an alert is numbered once, in the database of its owner, wherever it was written [D9.alerts]", async () => {
    const [first, second] = [await openTestDatabase(), await openTestDatabase()];
    const owner = "owner-2";
    await addBareAccount(second, accountIdOnShard(1, systemChance.uuid()), owner);
    await first.query("insert into owner_databases (owner_id, number) values ($1, 1)", [owner]);
    const shards = createShards([first, second]);
    await addAlert(first, made(owner, "signed in"));
    await addAlert(second, made(owner, "key"));
    await addAlert(second, made(null, "operator's webhook"));
    await numberAlerts(shards, () => false);
    // The alert is in both databases, as after a crash between the two steps of a move.
    await addAlert(first, made(owner, "signed in"));
    await numberAlerts(shards, () => false);
    await addAlert(first, made(null, "operator"));
    await numberAlerts(shards, () => false);
    const shown = async (database: Queryable) =>
      (await rows(database)).map(({ number, data }) => [number, JSON.parse(data).address]);
    expect(await shown(first)).toEqual([
      ["1", "operator's webhook"],
      ["2", "operator"],
    ]);
    expect(new Set((await shown(second)).map(([number, cause]) => `${number} ${cause}`))).toEqual(
      new Set(["1 signed in", "2 key"]),
    );
    await shards.close();
  });
});

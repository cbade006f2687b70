import { type AccountId, accountId, microUsd, ownerId, unixMs } from "@propgate/core";
import { beforeAll, describe, expect, test } from "vitest";
import { createKeyStore } from "../../../../access/src/storage/key-store.ts";
import { createShardedKeys } from "../../../../access/src/storage/sharded-keys.ts";
import {
  type DatabaseOutage,
  databaseWithOutage,
} from "../../../../server/src/testing/database-outage.ts";
import { madeStoredKey } from "../../../../server/src/testing/made-stored-key.ts";
import { openTestDatabase } from "../../../../server/src/testing/open-test-database.ts";
import type { Database } from "../databases/database.ts";
import {
  accountIdOnShard,
  keyIdOnShard,
  shardNumberOf,
  shardNumberOfKey,
} from "../rows/shard-number.ts";
import { createAccountStore } from "../stores/account-store.ts";
import { createShardedAccounts } from "./sharded-accounts.ts";
import { createShardedEquity } from "./sharded-histories.ts";
import { createShardedPayouts } from "./sharded-payouts.ts";
import { createShardedSearch } from "./sharded-search.ts";
import { createShards, type Shards } from "./shards.ts";

const EACH = 10;
const DATABASES = 3;
const BEYOND = accountId("00000000-0000-8fff-8000-000000000000");

/** The id of an account. By id, age and due time, consecutive accounts are on different databases. */
function accountOf(index: number): AccountId {
  const digit = index.toString(16).padStart(2, "0");
  return accountIdOnShard(index % DATABASES, `${digit}000000-0000-4000-8000-000000000000`);
}

function keyOf(index: number): string {
  return keyIdOnShard(index % DATABASES, String(index).padStart(20, "0"));
}

async function fill(databases: readonly Database[]): Promise<void> {
  for (let index = 0; index < EACH * DATABASES; index += 1) {
    const database = databases[index % DATABASES];
    const id = accountOf(index);
    await database?.query(
      `insert into accounts (account_id, owner_id, status, version, head_hash, exposed, due_at_ms, created_at_ms)
       values ($1, $2, 'active', $3::int + 1, '\\x00', false, $3::int / 4, $3::int / 3)`,
      [id, `owner-${index % DATABASES}`, index],
    );
    await database?.query(
      `insert into payouts (account_id, payout_id, period_start_ms, period_end_ms, seq, status, payout)
       values ($1, $2, 0, $3, 1, 'pending', $4)`,
      [
        id,
        `po_${id}_1`,
        Math.floor(index / 8),
        JSON.stringify({ id: `po_${id}_1`, periodEndMs: Math.floor(index / 8) }),
      ],
    );
    if (database === undefined) continue;
    await createKeyStore(database).insert(
      { ...madeStoredKey(keyOf(index), index), accountId: id, label: "found" },
      { activeMax: 50, by: "test" },
    );
  }
}

describe("the stores of several databases", () => {
  const outage: DatabaseOutage = { text: "", when: "never" };
  const all = Array.from({ length: EACH * DATABASES }, (_, index) => accountOf(index));
  let group: Shards;
  beforeAll(async () => {
    const made = await Promise.all(Array.from({ length: DATABASES }, () => openTestDatabase()));
    const [first, second, third] = made;
    if (first === undefined || second === undefined || third === undefined) {
      throw new Error("three databases were made");
    }
    await fill(made);
    group = createShards([first, second, databaseWithOutage(third, outage)]);
    return () => group.close();
  });

  test("the pages of accounts have each once, in the order of ids, at every page size", async () => {
    const store = createShardedAccounts(group);
    for (const limit of [1, 2, 7, 30, 100]) {
      const seen: AccountId[] = [];
      for (let after: AccountId | null = null; ; ) {
        const page = await store.list({ after, limit });
        expect(page.length).toBeLessThanOrEqual(limit);
        seen.push(...page.map((entry) => entry.accountId));
        if (page.length < limit) break;
        after = page.at(-1)?.accountId ?? null;
      }
      expect(seen).toEqual(all.toSorted());
    }
  });

  test("accounts are found, counted and versioned on their own database", async () => {
    const store = createShardedAccounts(group);
    for (const id of all) expect((await store.find(id))?.accountId).toBe(id);
    expect(await store.find(BEYOND)).toBeNull();
    const versions = await store.versions([...all, BEYOND]);
    expect(new Map(versions.map((one) => [one.accountId, one.version]))).toEqual(
      new Map(all.map((id, index) => [id, index + 1])),
    );
    expect((await store.newest(null, 5)).map((one) => one.createdAtMs)).toEqual([9, 9, 9, 8, 8]);
    expect(await store.hasAny()).toBe(true);
  });

  test("due accounts come by time and id, page by page", async () => {
    const store = createShardedAccounts(group);
    const seen: AccountId[] = [];
    let after = {
      dueAtMs: unixMs(-1),
      accountId: accountId("00000000-0000-0000-0000-000000000000"),
    };
    for (;;) {
      const page = await store.due(unixMs(100), { after, limit: 4, partitions: null });
      seen.push(...page.map((one) => one.accountId));
      const last = page.at(-1);
      if (last === undefined || page.length < 4) break;
      after = last;
    }
    expect(seen).toEqual(all);
    expect(await store.dueLag(unixMs(100), { partitions: null })).toEqual({
      waiting: all.length,
      oldestDueAtMs: 0,
    });
    expect(await store.firstDueAfter(unixMs(2))).toBe(3);
  });

  test("a payout is found on the database that its id names, and all unpaid ones are counted", async () => {
    const store = createShardedPayouts(group);
    expect((await store.unpaid()).count).toBe(all.length);
    const [one] = all;
    expect(await store.find(one ?? BEYOND, `po_${one}_1`)).toMatchObject({
      payout: { id: `po_${one}_1` },
    });
  });

  test("the pages of keys have each once, and every key is on the database that its id names", async () => {
    const store = createShardedKeys(group);
    const ids = all.map((_, index) => keyOf(index));
    for (const limit of [1, 4, 10, 100]) {
      const seen: string[] = [];
      for (let after: string | null = null; ; ) {
        const page = await store.page(after, limit);
        seen.push(...page.map((key) => key.keyId));
        if (page.length < limit) break;
        after = page.at(-1)?.keyId ?? null;
      }
      expect(seen.toSorted()).toEqual(ids.toSorted());
    }
    for (const key of await store.find([...ids, keyIdOnShard(3843, "0".repeat(20))])) {
      expect(shardNumberOfKey(key.keyId)).toBe(shardNumberOf(key.accountId));
    }
    for (const [index, account] of all.entries()) {
      expect((await store.list(account, 0)).map(({ keyId }) => keyId)).toEqual([ids[index]]);
    }
    expect(await store.countBySealVersion()).toEqual(new Map([[1, ids.length]]));
  });

  test("a search shows rows of every database, though the first alone fills the list", async () => {
    const found = await createShardedSearch(group).find("o");
    expect(found.accounts).toHaveLength(8);
    expect(new Set(found.accounts.map((one) => shardNumberOf(one.accountId)))).toEqual(
      new Set([0, 1, 2]),
    );
    expect(new Set(found.keys.map((one) => shardNumberOfKey(one.keyId)))).toEqual(
      new Set([0, 1, 2]),
    );
  });

  test("points of equity are on the database of their account", async () => {
    const equity = createShardedEquity(group);
    const figures = { atMs: unixMs(7), equity: microUsd(1), balance: microUsd(1), floors: [] };
    await equity.add(all.map((id) => ({ ...figures, accountId: id })));
    for (const id of all) expect(await equity.lastAt(id, 10)).toMatchObject({ atMs: 7 });
  });

  test("the accounts of the others are found while a database is away, and no list is silently short", async () => {
    const store = createShardedAccounts(group);
    outage.when = "before";
    try {
      const [onFirst, onSecond, onThird] = all;
      expect(await store.find(onFirst ?? BEYOND)).not.toBeNull();
      expect((await store.versions(all)).length).toBe(2 * EACH);
      expect(await createShardedKeys(group).find([keyOf(0), keyOf(1)])).toHaveLength(2);
      expect(await store.find(onSecond ?? BEYOND)).not.toBeNull();
      await expect(store.find(onThird ?? BEYOND)).rejects.toThrow("ECONNREFUSED");
      await expect(store.list({ after: null, limit: 5 })).rejects.toThrow("ECONNREFUSED");
      await expect(createShardedKeys(group).countBySealVersion()).rejects.toThrow("ECONNREFUSED");
    } finally {
      outage.when = "never";
    }
  });

  test("an owner's list is the statement of the plain store alone with one database", async () => {
    const [first] = group.all;
    const statements: string[] = [];
    const noted: Database = {
      ...first,
      query(text, parameters) {
        statements.push(text);
        return first.query(text, parameters);
      },
    };
    const page = { after: null, limit: 100, ownerId: ownerId("owner-0") };
    expect(await createShardedAccounts(createShards([noted])).list(page)).toHaveLength(EACH);
    await createAccountStore(noted).list(page);
    expect(statements).toHaveLength(2);
    expect(statements[0]).toBe(statements[1]);
  });
});

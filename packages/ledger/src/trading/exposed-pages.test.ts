import { beforeAll, expect, test } from "vitest";
import { describeOnEachDatabase } from "../../../server/src/testing/each-database.ts";
import { openNewTestDatabase } from "../../../server/src/testing/open-test-database.ts";
import { queryPlans } from "../../../server/src/testing/query-plans.ts";
import type { Database } from "../storage/databases/database.ts";
import { PARTITIONS, partitionOf } from "../storage/rows/partition.ts";
import { loadExposed, readExposedVersions } from "../storage/stores/account-rows.ts";
import { createAccountStore } from "../storage/stores/account-store.ts";
import { createExposedPages } from "./exposed-pages.ts";

const ACCOUNTS = 3_000;
const MINE = [0, 3, 4, 5, 200, 255];

async function fill(database: Database): Promise<void> {
  await database.query(`
    insert into accounts (account_id, owner_id, status, version, head_hash, exposed, due_at_ms, created_at_ms)
      select md5(n::text)::uuid, 'owner', 'active', n, '\\x01', n % 2 = 0, n, 0
      from generate_series(1, ${ACCOUNTS}) n`);
  await database.query(`
    insert into account_states (account_id, version, state)
      select account_id, version, '{}' from accounts`);
  for (const table of ["accounts", "account_states"]) await database.query(`analyze ${table}`);
}

await describeOnEachDatabase(
  "the exposed accounts of a node",
  (database) => {
    beforeAll(() => fill(database()));

    test("the exposed accounts of a node are read page by page, each account of its partitions once a round", async () => {
      const ownership = { partitions: () => MINE };
      const pages = createExposedPages({ database: database(), ownership, limit: 7 });
      for (let round = 0; round < 2; round += 1) {
        const read: string[] = [];
        for (;;) {
          const { accounts, isLast } = await pages.next();
          expect(accounts.length).toBeLessThanOrEqual(7);
          read.push(...accounts.map(({ accountId }) => accountId));
          if (isLast) break;
        }
        const rows = await database().query<{ id: string }>(
          "select account_id as id from accounts where exposed and partition_of(account_id) = any ($1)",
          [MINE],
        );
        expect(read.toSorted()).toEqual(rows.map(({ id }) => id).toSorted());
      }
    });

    test("the exposed accounts of a node are read by their index, from any account on", async () => {
      const [first] = await readExposedVersions(database(), { ...ALL, after: null, limit: 1 });
      const page = { ...ALL, after: first?.accountId ?? null, limit: 100 };
      for (const read of [loadExposed, readExposedVersions]) {
        const plan = await queryPlans(database(), (on) => read(on, page));
        expect(plan).toMatch(/Scan (on|using) accounts_exposed/);
        expect(plan).toMatch(/Index Cond: \(\(ROW\(.*, account_id\) > ROW\(/);
        expect(plan).not.toContain("Seq Scan on accounts");
      }
    });

    test("the exposed accounts of a node have their due work found by partition, in order of time", async () => {
      const store = createAccountStore(database());
      const now = ACCOUNTS as never;
      const after = { accountId: "00000000-0000-0000-0000-000000000000", dueAtMs: 0 } as never;
      const page = { after, limit: ACCOUNTS, partitions: MINE };
      const due = await store.due(now, page);
      expect(due.every(({ accountId }) => MINE.includes(partitionOf(accountId)))).toBe(true);
      const times = due.map(({ dueAtMs }) => dueAtMs);
      expect(times).toEqual(times.toSorted((one, other) => one - other));
      const { waiting } = await store.dueLag(now, { partitions: MINE });
      expect([waiting, due.length]).toEqual([due.length, waiting]);
      expect(await store.due(now, { ...page, partitions: null })).toHaveLength(ACCOUNTS);
    });
  },
  openNewTestDatabase,
);

const ALL = { firstPartition: 0, lastPartition: PARTITIONS - 1 };

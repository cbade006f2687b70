import { randomUUID } from "node:crypto";
import { type AccountId, accountId } from "@propgate/core";
import pg from "pg";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import {
  createCountingNetwork,
  keyedCountSubmission,
  openSubmission,
  storeNonce,
  TEST_KEY,
} from "../../../../server/src/testing/counting-network.ts";
import { describeOnEachDatabase } from "../../../../server/src/testing/each-database.ts";
import {
  openScratchPostgres,
  type ScratchDatabase,
  testPostgresUrl,
} from "../../../../server/src/testing/open-test-database.ts";
import type { Database } from "../../storage/databases/database.ts";
import { createLeaseStore, type Lease } from "../../storage/leases/lease-store.ts";
import { PARTITIONS, partitionLease, partitionOf } from "../../storage/rows/partition.ts";
import type { Ownership } from "../ownership.ts";

const ALL = Array.from({ length: PARTITIONS }, (_, partition) => partitionLease(partition));
const OVERDUE_MS = -1;

/** Claims all partitions for a new owner. Their leases have ended already, so the next owner can claim them. */
function claimAll(database: Database): Promise<readonly Lease[]> {
  const by = { owner: randomUUID(), forMs: OVERDUE_MS, above: 0 };
  return createLeaseStore(database).claim(ALL, by);
}

/** A node that trusts these leases without reading the database. */
function nodeWith(database: Database, leases: readonly Lease[]) {
  const refused: Lease[] = [];
  const believed = new Map(leases.map((lease) => [lease.name, lease]));
  const ownership: Ownership = {
    leaseOf: (id) => believed.get(leaseName(id)) ?? null,
    partitions: () => [],
    onStaleLeases: (those) => void refused.push(...those),
  };
  return { ...createCountingNetwork(database, { ownership }), refused, believed };
}

function leaseName(id: AccountId): string {
  return partitionLease(partitionOf(id));
}

/** Opens an account with another lease. Ids are random, so two accounts may share a lease. */
async function openApart(node: ReturnType<typeof nodeWith>, from: AccountId): Promise<AccountId> {
  for (;;) {
    const account = await node.open();
    if (leaseName(account) !== leaseName(from)) return account;
  }
}

/** The number of rows in each table that a batch may write, and the sum of the versions of all accounts. */
async function rowsOf(database: Database): Promise<unknown> {
  return database.query(
    `select (select count(*)::int from accounts) as accounts, (select sum(version)::int from accounts) as versions,
       (select count(*)::int from account_states) as states, (select count(*)::int from journal) as lines,
       (select count(*)::int from receipts) as receipts`,
    [],
  );
}

await describeOnEachDatabase("the fence of a batch", (database) => {
  test("the fence of a batch lets a batch through under the newest epochs of its leases", async () => {
    const node = nodeWith(database(), await claimAll(database()));
    const accounts = await Promise.all(Array.from({ length: 20 }, () => node.open()));
    const counted = await Promise.all(accounts.map((account) => node.count(account)));
    expect(counted.map((one) => one.ok && one.account.version)).toEqual(accounts.map(() => 2));
    expect(node.refused).toEqual([]);
  });

  test("the fence of a batch refuses a whole batch when one lease has a newer epoch, new accounts and receipts included [I4]", async () => {
    const node = nodeWith(database(), await claimAll(database()));
    const moved = await node.open();
    const kept = await openApart(node, moved);
    const nonce = randomUUID();
    await storeNonce(database(), nonce);
    const by = { owner: randomUUID(), forMs: OVERDUE_MS, above: 0 };
    await createLeaseStore(database()).claim([leaseName(moved)], by);

    const before = await rowsOf(database());
    const lost = node.believed.get(leaseName(moved));
    const first = accountId(randomUUID());
    // The executor was idle, so the first command forms a batch alone. The others collect while that batch commits.
    const ends = await Promise.allSettled([
      node.executor.submit(keyedCountSubmission(moved, nonce)),
      node.executor.submit(keyedCountSubmission(moved, nonce)),
      node.count(moved),
      node.executor.submit(openSubmission(first)),
    ]);
    expect(ends.slice(0, 3).map((end) => end.status === "rejected" && end.reason.name)).toEqual([
      "NotOwner",
      "NotOwner",
      "NotOwner",
    ]);
    expect(node.refused).toContainEqual(lost);
    expect(await rowsOf(database())).toEqual(before);
    expect(await node.count(kept)).toMatchObject({ ok: true, account: { version: 2 } });
  });

  test("the fence refuses under an old epoch what changes nothing, because it may be decided from an old state", async () => {
    const node = nodeWith(database(), await claimAll(database()));
    const account = await node.open();
    const provision = () =>
      node.executor.submit({
        accountId: account,
        command: { type: "provisionAccount" },
        origin: { by: "operator" },
      });
    expect(await provision()).toMatchObject({ ok: false });
    await claimAll(database());
    await expect(provision()).rejects.toMatchObject({ name: "NotOwner" });
  });

  test("the fence refuses a node whose epoch another node has got too, after a failover that lost its claim [I4]", async () => {
    const node = nodeWith(database(), await claimAll(database()));
    const account = await node.open();
    await database().query("update leases set owner = $1", [randomUUID()]);
    await expect(node.count(account)).rejects.toMatchObject({ name: "NotOwner" });
    expect(node.refused).toHaveLength(1);
  });

  test("an account without a lease is not decided, and the others of its batch are", async () => {
    const node = nodeWith(database(), await claimAll(database()));
    const other = await node.open();
    const mine = await openApart(node, other);
    node.believed.delete(leaseName(other));
    const unknownFates: unknown[] = [];
    node.executor.onUnknownFate((accounts) => unknownFates.push(accounts));
    const [first, second] = await Promise.allSettled([node.count(other), node.count(mine)]);
    expect(first).toMatchObject({ status: "rejected", reason: { name: "NotOwner" } });
    expect(second).toMatchObject({ status: "fulfilled", value: { account: { version: 2 } } });
    expect([node.refused, unknownFates]).toEqual([[], []]);
  });
});

const url = await testPostgresUrl();

describe.skipIf(url === null)("a claim under way", () => {
  let database: ScratchDatabase;
  let claimant: pg.Client;
  beforeAll(async () => {
    database = await openScratchPostgres(url ?? "");
    claimant = new pg.Client({ connectionString: database.url });
    await claimant.connect();
  });
  afterAll(async () => {
    await claimant?.end();
    await database?.close();
  });

  const claim = (names: readonly string[]) =>
    claimant.query(
      "update leases set epoch = epoch + 1, owner = $2 where name = any ($1::text[])",
      [names, randomUUID()],
    );
  /** Resolves when a statement waits for the claim. */
  const someoneWaits = async (): Promise<void> => {
    for (;;) {
      const { rowCount } = await claimant.query(
        `select 1 from pg_locks where not granted and pg_backend_pid() = any (pg_blocking_pids(pid))`,
      );
      if (rowCount !== 0) return;
    }
  };

  test.each([
    ["commit", "NotOwner", 1],
    ["rollback", null, 2],
  ])(
    "a claim under way makes the owner's statement wait; after its %s the command ends with %s",
    async (end, reason, version) => {
      const node = nodeWith(database, await claimAll(database));
      const account = await node.open();
      await claimant.query("begin");
      await claim([leaseName(account)]);
      const counting = node.count(account).then(
        () => null,
        (cause: Error) => cause.name,
      );
      await someoneWaits();
      await claimant.query(end);
      expect(await counting).toBe(reason);
      const rows = await database.query("select version::int from accounts where account_id = $1", [
        account,
      ]);
      expect(rows).toEqual([{ version }]);
      expect(node.refused).toHaveLength(reason === null ? 0 : 1);
    },
  );

  test("a claim under way waits itself for a batch that is writing, so a former owner's last batch is seen by the next", async () => {
    const node = nodeWith(database, await claimAll(database));
    const account = await node.open();
    const nonce = randomUUID();
    await storeNonce(database, nonce);
    // The batch holds the lease and waits for this row, which is not committed in the end.
    await claimant.query("begin");
    await claimant.query(
      "insert into receipts (key_id, nonce, decided_at_ms, received_at_ms, status, error) values ($1, $2, 1, 1, 500, 'x')",
      [TEST_KEY, nonce],
    );
    const counting = node.executor.submit(keyedCountSubmission(account, nonce));
    counting.catch(() => undefined);
    await someoneWaits();
    const claiming = claimAll(database);
    await claimant.query("rollback");
    await claiming;
    const known = await counting.then(
      (one) => (one.ok ? one.account.version : 0),
      () => 1,
    );
    const rows = await database.query("select version::int from accounts where account_id = $1", [
      account,
    ]);
    expect(rows).toEqual([{ version: known }]);
  });
});

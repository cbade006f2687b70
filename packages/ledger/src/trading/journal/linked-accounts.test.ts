import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";
import { type AccountId, accountId, evolve, orderUuid, unixMs } from "@propgate/core";
import { beforeEach, expect, test } from "vitest";
import { createSeededChance } from "../../../../base/src/random.ts";
import { backedUpRows } from "../../../../server/src/testing/backed-up-rows.ts";
import { TEST_OWNER } from "../../../../server/src/testing/counting-decider.ts";
import {
  storeNonce,
  TEST_KEY,
  TEST_MIDNIGHT,
  TEST_NOON,
} from "../../../../server/src/testing/counting-network.ts";
import { describeOnEachDatabase } from "../../../../server/src/testing/each-database.ts";
import {
  linkMadeSubaccount,
  madeOpeningLine,
} from "../../../../server/src/testing/made-account-link.ts";
import {
  createManualEngine,
  type ManualEngine,
} from "../../../../server/src/testing/manual-engine.ts";
import { openTestDatabase } from "../../../../server/src/testing/open-test-database.ts";
import { BTCUSD, SMALL_CATALOGUE } from "../../../../server/src/testing/small-market.ts";
import { makeTemporaryFolder } from "../../../../server/src/testing/temporary-folder.ts";
import type { Database } from "../../storage/databases/database.ts";
import { createLinkedAccountStore } from "../../storage/stores/network/linked-account-store.ts";
import { createUpstreamOrderStore } from "../../storage/stores/network/upstream-order-store.ts";
import { createSearchStore } from "../../storage/stores/search-store.ts";
import { checkBackup } from "../backup/backup-file.ts";
import { BACKUP_TABLES } from "../backup/backup-tables.ts";
import { restoreBackup } from "../backup/restore-backup.ts";
import { takeBackup } from "../backup/take-backup.ts";
import { rebuildJournal } from "./rebuild-journal.ts";
import { verifyJournal } from "./verify-journal.ts";

/** The options of a restore that are the same in all tests. */
const RESTORING = {
  now: unixMs(1_767_700_000_000),
  chance: createSeededChance("restore"),
  log: { info: () => undefined },
};

const MINUTE_MS = 60_000;
/** Ids before and after every id that a test draws. */
const [FIRST, LAST] = [
  "00000000-0000-4000-8000-000000000001",
  "ffffffff-ffff-4fff-bfff-ffffffffffff",
];

async function reopened(database: Database): Promise<Awaited<ReturnType<typeof restoreBackup>>> {
  const path = join(await makeTemporaryFolder(), "backup.gz");
  const given = { database, nowMs: TEST_NOON, masterKeys: null };
  const parts: Uint8Array[] = [];
  for await (const part of await takeBackup(given)) parts.push(part);
  await writeFile(path, Buffer.concat(parts));
  const checked = await checkBackup(path, { masterKeys: null, mayBeUnproved: true });
  const target = await openTestDatabase();
  const end = await restoreBackup({
    path,
    checked,
    database: target,
    instruments: SMALL_CATALOGUE,
    ...RESTORING,
  });
  for (const table of BACKUP_TABLES) {
    const { name } = table;
    // A restore adds rows to these tables: its own, and the format of the states, which a service stores at its start.
    if (name === "settings" || name === "audit") continue;
    const [rows, before] = [await backedUpRows(target, table), await backedUpRows(database, table)];
    expect([name, rows]).toEqual([name, before]);
  }
  await target.close();
  return end;
}

await describeOnEachDatabase("linked accounts beside embedded ones", (database) => {
  const linkedStore = () => createLinkedAccountStore(database());
  /** Links accounts with the first and the last id, and opens an embedded account between them. */
  const both = async (): Promise<{
    readonly node: ManualEngine;
    readonly holder: AccountId;
    readonly linked: readonly AccountId[];
  }> => {
    const node = createManualEngine(database(), { now: TEST_NOON });
    const holder = await node.open();
    const linked = [
      await linkMadeSubaccount(database(), { accountId: accountId(FIRST) }),
      await linkMadeSubaccount(database(), { accountId: accountId(LAST) }),
    ];
    await node.quote(BTCUSD, 50_000);
    await node.buy(holder, BTCUSD, 1);
    for (const id of linked) {
      await linkedStore().takeLease(id, "one", MINUTE_MS);
      await linkedStore().storeReading({
        accountId: id,
        holder: "one",
        readings: '{"positions":[{"pair":"BTCUSD"}]}',
        pairs: ["BTC/USD"],
        behindSinceMs: null,
        readAtMs: TEST_NOON,
        status: "active",
        records: [{ kind: "closedPosition", id: "t1", atMs: TEST_NOON, body: "{}" }],
        lines: null,
      });
    }
    return { node, holder, linked };
  };
  const rebuild = (which: AccountId | "all", write: boolean) =>
    rebuildJournal({
      database: database(),
      evolve,
      instruments: SMALL_CATALOGUE,
      which,
      write,
    });

  beforeEach(async () => {
    await database().query(
      `truncate accounts, journal, trades, payouts, daily_returns, equity_points, linked_accounts,
         linked_records, upstream_orders, nonces, receipts`,
    );
  });

  test("verify reads every journal, and rebuild embedded accounts only", async () => {
    const { holder, linked } = await both();
    const [first = holder] = linked;
    expect(await verifyJournal(database(), "all")).toEqual({ accounts: 3, events: 4, broken: [] });
    expect(await verifyJournal(database(), first)).toEqual({ accounts: 1, events: 1, broken: [] });
    expect(await rebuild("all", true)).toEqual({ accounts: 1, different: [], written: 0 });
    expect(await rebuild(first, true)).toEqual({ accounts: 0, different: [], written: 0 });
    // A changed observation is found like a changed decision.
    await database().query("update journal set at_ms = at_ms + 1 where account_id = $1", [first]);
    const { broken } = await verifyJournal(database(), "all");
    expect(broken).toEqual([
      { accountId: first, seq: 1, why: "the line is not as it was written" },
    ]);
  });

  test("due work, equity and corporate actions pass linked accounts by", async () => {
    const { node, holder, linked } = await both();
    await node.restore();
    expect(node.cache.get(linked[0] ?? holder)).toBeNull();
    await node.shards[0].equity.tick();
    node.now = unixMs(TEST_NOON + MINUTE_MS);
    for (let ticks = 0; ticks < 3; ticks += 1) await node.shards[0].equity.tick();
    node.now = unixMs(TEST_MIDNIGHT + MINUTE_MS);
    expect(await node.due.runDue()).toMatchObject({ accounts: 1 });
    await node.shards[0].followOthers();
    await node.carryOutActions();
    expect(node.faults).toEqual([]);
    expect(await node.due.nextDueMs(node.now)).toBeGreaterThan(node.now);
    const points = await database().query("select distinct account_id from equity_points", []);
    expect(points).toEqual([{ account_id: holder }]);
    for (const id of linked) expect(await linkedStore().find(id)).toMatchObject({ version: 1 });
  });

  test("commands of the embedded network do not reach linked accounts", async () => {
    const { node, holder, linked } = await both();
    const [first = holder] = linked;
    expect(await node.accounts.close(first)).toBeNull();
    expect(await node.accounts.eliminate(first, "a reason")).toBeNull();
    const order = {
      type: "placeMarket",
      orderUuid: orderUuid("8b9f6c1a-2f4e-4d3b-9a63-000000000001"),
      pair: BTCUSD,
      direction: "long",
      size: { kind: "quantity", lots: 1 },
      legs: [],
    } as const;
    const placed = await node.network.carryOut(first, order as never, { by: "operator" });
    expect(placed).toMatchObject({ ok: false });
    expect(await node.cache.read({ accountId: first, version: 0 })).toBeNull();
    expect(await linkedStore().find(first)).toMatchObject({ status: "active", version: 1 });
  });

  test("linked accounts are listed, found, counted and have versions like the others", async () => {
    const { node, holder, linked } = await both();
    const entries = await node.accountStore.list({ after: null, limit: 10 });
    expect(entries.map(({ accountId: id, network }) => [id, network])).toEqual([
      [FIRST, "vanta"],
      [holder, "embedded"],
      [LAST, "vanta"],
    ]);
    expect(await node.accountStore.countActive(TEST_OWNER)).toBe(3);
    expect(await node.accountStore.versions(linked)).toHaveLength(2);
    const found = await createSearchStore(database()).find(TEST_OWNER);
    expect(found.accounts).toHaveLength(3);
  });

  test("a backup has their rows and events, and restores all of them", async () => {
    const { linked } = await both();
    const [first = accountId(FIRST)] = linked;
    const order = {
      orderUuid: orderUuid("8b9f6c1a-2f4e-4d3b-9a63-000000000002"),
      accountId: first,
      request: { keyId: TEST_KEY, nonce: "on its way" },
      executionType: "FLAT_ALL",
      tradePair: null,
      command: "{}",
      createdAtMs: TEST_NOON,
    } as const;
    await storeNonce(database(), "on its way");
    await createUpstreamOrderStore(database()).begin(order, {
      holder: "one",
      forMs: MINUTE_MS,
      sentUntilMs: unixMs(TEST_NOON + MINUTE_MS),
    });
    const { header, proof, rebuild: rebuilt } = await reopened(database());
    expect(header).toMatchObject({ accounts: 3, events: 4 });
    expect(proof).toEqual({ accounts: 3, events: 4, broken: [] });
    expect(rebuilt).toEqual({ accounts: 1, different: [], written: 0 });
  });

  test("a record is in a backup only together with its lines", async () => {
    const { linked } = await both();
    const [first = accountId(FIRST)] = linked;
    const given = { database: database(), nowMs: TEST_NOON, masterKeys: null };
    const backup = await takeBackup(given);
    // This reading comes after the moment of the backup and before the tables of growing rows are read.
    await linkedStore().takeLease(first, "one", MINUTE_MS);
    await linkedStore().storeReading({
      accountId: first,
      holder: "one",
      readings: "{}",
      pairs: [],
      behindSinceMs: null,
      readAtMs: unixMs(TEST_NOON + 1),
      status: "active",
      records: [{ kind: "closedPosition", id: "t2", atMs: TEST_NOON, body: "{}" }],
      lines: { orderIds: () => [], makeLines: () => [madeOpeningLine()] },
    });
    const parts: Uint8Array[] = [];
    for await (const part of backup) parts.push(part);
    const text = gunzipSync(Buffer.concat(parts)).toString("utf8");
    expect(text).toContain('"t1"');
    expect(text).not.toContain('"t2"');
    expect(await verifyJournal(database(), first)).toMatchObject({ events: 2, broken: [] });
  });

  test.each([
    ["a linked account that prices affect", "set exposed = true", "vanta"],
    ["a linked account with a due time", "set due_at_ms = 1", "vanta"],
    ["an account that changes its network", "set network = 'vanta'", "embedded"],
    ["an account of an unknown network", "set network = 'another'", "vanta"],
  ])("the database refuses %s", async (_what, set, network) => {
    await both();
    const update = database().query(`update accounts ${set} where network = $1`, [network]);
    await expect(update).rejects.toThrow(/accounts_network_check/);
  });
});

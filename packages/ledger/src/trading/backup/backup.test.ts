import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { gunzipSync, gzipSync } from "node:zlib";
import { ownerId, unixMs } from "@propgate/core";
import { beforeAll, describe, expect, test } from "vitest";
import { parseMasterKeys } from "../../../../base/src/keys/master-key.ts";
import { createSeededChance } from "../../../../base/src/random.ts";
import { backedUpRows } from "../../../../server/src/testing/backed-up-rows.ts";
import { TEST_TERMS } from "../../../../server/src/testing/counting-decider.ts";
import { describeOnEachDatabase } from "../../../../server/src/testing/each-database.ts";
import {
  CATALOGUE,
  type Harness,
  OPERATOR_TOKEN,
  openHarness,
  TEST_MASTER_KEY,
} from "../../../../server/src/testing/harness.ts";
import {
  openScratchPostgres,
  openTestDatabase,
  testPostgresUrl,
} from "../../../../server/src/testing/open-test-database.ts";
import { makeTemporaryFolder } from "../../../../server/src/testing/temporary-folder.ts";
import type { Database } from "../../storage/databases/database.ts";
import { MIGRATIONS } from "../../storage/migrations/migrate.ts";
import { createSettingStore } from "../../storage/stores/setting-store.ts";
import { readTableColumns } from "../../storage/stores/table-rows.ts";
import { readStateFormat, STATE_FORMAT } from "../journal/state-format.ts";
import { checkBackup } from "./backup-file.ts";
import { BACKUP_TABLES, NOT_BACKED_UP } from "./backup-tables.ts";
import { type RestoreResult, restoreBackup } from "./restore-backup.ts";

/** The options of a restore that are the same in all tests. */
const RESTORING = {
  now: unixMs(1_767_700_000_000),
  chance: createSeededChance("restore"),
  log: { info: () => undefined },
};

const postgres = await testPostgresUrl();
const KEYS = { masterKeys: parseMasterKeys(TEST_MASTER_KEY), mayBeUnproved: false };
const BUY = { execution_type: "MARKET", trade_pair: "BTCUSD", order_type: "LONG", value: 100 };

/** Requests a backup from a running service, as the command line does. */
async function download(service: Harness): Promise<Buffer> {
  const response = await fetch(`http://127.0.0.1:${service.port}/operator/v1/backup`, {
    method: "POST",
    headers: { Authorization: `Bearer ${OPERATOR_TOKEN}` },
  });
  expect([response.status, response.headers.get("content-type")]).toEqual([
    200,
    "application/gzip",
  ]);
  return Buffer.from(await response.arrayBuffer());
}

async function written(content: Uint8Array): Promise<string> {
  const path = join(await makeTemporaryFolder(), "backup.gz");
  await writeFile(path, content);
  return path;
}

async function restored(path: string, database: Database): Promise<RestoreResult> {
  const checked = await checkBackup(path, KEYS);
  return restoreBackup({ path, checked, database, instruments: CATALOGUE, ...RESTORING });
}

/** Conditions that leave out the rows that a restore adds. */
const CONDITIONS_WITHOUT_RESTORE_ROWS: Readonly<Record<string, string>> = {
  settings: "where name not like 'data.%'",
  audit: "where deed <> 'restore'",
};

/** The rows of all tables that are in a backup, by table. */
async function contentOf(database: Database): Promise<Readonly<Record<string, unknown>>> {
  const tables = BACKUP_TABLES.map(async (table) => [
    table.name,
    await backedUpRows(database, table, CONDITIONS_WITHOUT_RESTORE_ROWS[table.name]),
  ]);
  return Object.fromEntries(await Promise.all(tables)) as Readonly<Record<string, unknown>>;
}

await describeOnEachDatabase("a backup", (database) => {
  test("a backup has a line for every table of the schema except sessions", async () => {
    const tables = [...(await readTableColumns(database())).keys()].filter(
      (name) => name !== "schema_migrations",
    );
    const known = [...BACKUP_TABLES.map(({ name }) => name), ...NOT_BACKED_UP];
    expect(known.toSorted()).toEqual(tables.toSorted());
  });

  test("a backup taken under load is of one moment, and restores to either database [S5.R2]", async () => {
    const service = await openHarness({ database: database(), seed: "backup source" });
    await service.quote("BTCUSD", 50_000, 50_000);
    await service.quote("EURUSD", 1.1, 1.1);
    const quiet = await service.newKey({
      accountId: await service.accounts.open({
        ownerId: ownerId("quiet"),
        terms: TEST_TERMS,
        provisioned: true,
      }),
    });
    const trade = (nonce: string, signer = service.signer) =>
      service.order(BUY, { nonce, signer }).then(({ status }) => status);
    expect(await trade("quiet", quiet)).toBe(200);
    for (let before = 0; before < 5; before += 1) expect(await trade(`before-${before}`)).toBe(200);
    let loads = true;
    let during = 0;
    let underWay = (): void => {};
    const begun = new Promise<void>((resolve) => {
      underWay = resolve;
    });
    const load = async (): Promise<void> => {
      while (loads) {
        during += 1;
        expect(await trade(`during-${during}`)).toBe(200);
        underWay();
      }
    };
    const loading = Promise.all([load(), load(), load(), load()]);
    await begun;
    const path = await written(await download(service));
    loads = false;
    await loading;
    const account = await service.get("account", { signer: quiet });
    const { signer, accountId } = service;

    const checked = await checkBackup(path, KEYS);
    const targets = [
      openTestDatabase,
      ...(postgres === null ? [] : [() => openScratchPostgres(postgres)]),
    ];
    for (const open of targets) {
      const target = await open();
      const { proof, rebuild } = await restored(path, target);
      expect(proof).toEqual({ accounts: 2, events: checked.header.events, broken: [] });
      expect(rebuild).toMatchObject({ accounts: 2, different: [] });
      expect(await headOf(target, accountId)).toEqual(await lineOf(database(), target, accountId));
      expect(await unusedNonces(target)).toEqual([]);

      const other = await openHarness({ database: target, seed: "restored" });
      await other.quote("BTCUSD", 50_000, 50_000);
      const same = await other.get("account", { signer: quiet });
      expect([same.status, same.json()]).toEqual([200, account.json()]);
      for (const [by, nonce] of [
        [quiet, "quiet"],
        ...[0, 1, 2, 3, 4].map((n) => [signer, `before-${n}`] as const),
      ] as const) {
        expect((await other.order(BUY, { signer: by, nonce })).status).toBe(409);
      }
      expect((await other.order(BUY, { signer, nonce: "after" })).status).toBe(200);
      await other.close();
    }
  });
});

const headOf = async (database: Database, id: string): Promise<unknown> =>
  database.query("select version, head_hash as hash from accounts where account_id = $1", [id]);

/** The source's journal line at the version that the restored account has. */
const lineOf = async (source: Database, target: Database, id: string): Promise<unknown> => {
  const [head] = await target.query<{ version: string }>(
    "select version from accounts where account_id = $1",
    [id],
  );
  return source.query(
    "select seq as version, hash from journal where account_id = $1 and seq = $2",
    [id, head?.version],
  );
};

/** Nonces of orders that could be used again. There must be none. */
const unusedNonces = (database: Database): Promise<unknown> =>
  database.query(
    `select j.key_id, j.nonce from journal j left join nonces n using (key_id, nonce)
     where j.nonce is not null and n.nonce is null`,
    [],
  );

describe("a restored backup", () => {
  test("a restored backup of another state format is rebuilt and proved [S5.R2]", async () => {
    const service = await openHarness({ seed: "another format" });
    await service.quote("BTCUSD", 50_000, 50_000);
    expect((await service.order(BUY)).status).toBe(200);
    await createSettingStore(service.database).set("state.format", "1");
    const path = await written(await download(service));
    await service.close();
    const target = await openTestDatabase();
    await target.query("drop schema public cascade; create schema public");
    const { header, proof, rebuild } = await restored(path, target);
    expect(header).toMatchObject({ schema: MIGRATIONS.at(-1)?.number, stateFormat: 1 });
    expect(proof).toMatchObject({ accounts: header.accounts, broken: [] });
    expect(rebuild).toMatchObject({ different: [], written: 0 });
    expect(await readStateFormat(target)).toBe(STATE_FORMAT);
    await target.close();
  });

  test.skipIf(postgres === null)("a backup to PostgreSQL and back is unchanged", async () => {
    const service = await openHarness({ seed: "moves" });
    await service.quote("BTCUSD", 50_000, 50_000);
    expect((await service.order(BUY)).status).toBe(200);
    await createSettingStore(service.database).set("state.format", String(STATE_FORMAT));
    // The audit records a backup after it was taken, so the backup does not contain that line.
    const before = await contentOf(service.database);
    const first = await written(await download(service));
    const server = await openScratchPostgres(postgres ?? "");
    await restored(first, server);
    expect(await contentOf(server)).toEqual(before);
    await service.close();
    // The second service of the test adds a key to the restored rows.
    const grown = await openHarness({ database: server, seed: "grown" });
    const whole = await contentOf(server);
    const second = await written(await download(grown));
    const back = await openTestDatabase();
    await restored(second, back);
    expect(await contentOf(back)).toEqual(whole);
    await back.close();
    await grown.close();
  });
});

describe("a failed restore writes nothing and says what to do", () => {
  let whole: Buffer;
  beforeAll(async () => {
    const service = await openHarness({ seed: "refused" });
    await service.quote("BTCUSD", 50_000, 50_000);
    for (let count = 0; count < 3; count += 1) expect((await service.order(BUY)).status).toBe(200);
    whole = await download(service);
    await service.close();
  });
  const rewritten = (change: (text: string) => string): Promise<string> =>
    written(gzipSync(change(gunzipSync(whole).toString())));

  test("a restore accepts an intact file", async () => {
    await expect(checkBackup(await written(whole), KEYS)).resolves.toMatchObject({
      header: { accounts: 1, keys: 1, schema: MIGRATIONS.at(-1)?.number ?? 0 },
    });
  });

  test("a restore rejects a torn file, torn anywhere", async () => {
    for (const length of [
      0,
      1,
      5,
      20,
      200,
      whole.length - 400,
      whole.length - 9,
      whole.length - 1,
    ]) {
      const torn = checkBackup(await written(whole.subarray(0, length)), KEYS);
      await expect(torn, String(length)).rejects.toMatchObject({
        name: "BackupRefused",
        message: expect.stringMatching(/is torn: its end is missing/),
        fix: "Take another backup, or use an older one.",
      });
    }
  });

  test("a restore rejects a file with any altered byte, or restores the same data", async () => {
    const before = await checkBackup(await written(whole), KEYS);
    for (let at = 0; at < whole.length; at += 7) {
      const altered = Buffer.from(whole);
      altered[at] = (altered[at] ?? 0) ^ 0x10;
      const result = await checkBackup(await written(altered), KEYS).catch(
        (cause: unknown) => cause,
      );
      // The change may be in a time stamp of gzip, which does not affect the content.
      if (!(result instanceof Error)) expect(result).toEqual(before);
      else expect(result).toMatchObject({ name: "BackupRefused" });
    }
  });

  test.each<[string, (text: string) => string, RegExp]>([
    ["a figure", (text) => text.replace("50000", "49999"), /was altered/],
    [
      "a row less",
      (text) => text.replace(/\n\["[^\n]*"before[^\n]*/, "").replace(/\n\[[^\n]*/, ""),
      /was altered/,
    ],
    ["another hash", (text) => text.replace(/"sha256":"./, '"sha256":"x'), /was altered/],
    ["no last line", (text) => text.slice(0, text.trimEnd().lastIndexOf("\n") + 1), /is torn/],
    ["a line that is none", (text) => text.replace("\n[", "\n{}\n["), /was altered/],
    [
      "a schema to come",
      (text) => text.replace(/"schema":\d+/, '"schema":99'),
      /has schema 99, this program knows \d+: it is of a newer release/,
    ],
    [
      "accounts to come",
      (text) => text.replace(/"stateFormat":\d+/, '"stateFormat":99'),
      /has account format 99/,
    ],
    ["a format to come", (text) => text.replace('"format":2', '"format":3'), /has backup format 3/],
    ["another thing", () => '{"hello":1}\n', /is not a backup/],
  ])("a restore of a file with %s is refused", async (_what, change, words) => {
    await expect(checkBackup(await rewritten(change), KEYS)).rejects.toThrow(words);
  });

  test("a restore rejects a file that is not gzip, a folder and a missing file", async () => {
    await expect(
      checkBackup(await written(Buffer.from("hello hello hello")), KEYS),
    ).rejects.toThrow(/is not a backup of this service/);
    await expect(checkBackup(await makeTemporaryFolder(), KEYS)).rejects.toThrow(/cannot be read/);
    await expect(checkBackup("/nowhere/backup.gz", KEYS)).rejects.toThrow(/cannot be read: ENOENT/);
  });

  test("a restore rejects a database with rows, foreign tables or another schema", async () => {
    const file = await written(whole);
    const used = await openHarness({ seed: "used" });
    const before = await contentOf(used.database);
    await expect(restored(file, used.database)).rejects.toMatchObject({
      name: "BackupRefused",
      message: expect.stringMatching(/is not empty: its table programs has rows/),
      fix: expect.stringMatching(/Nothing was written/),
    });
    expect(await contentOf(used.database)).toEqual(before);
    await used.close();
    const newer = await openTestDatabase();
    await newer.query("insert into schema_migrations values (99, 'later')", []);
    await expect(restored(file, newer)).rejects.toThrow(/has the tables of schema 99/);
    await newer.query("drop table schema_migrations", []);
    await expect(restored(file, newer)).rejects.toThrow(/tables of another program/);
    await newer.close();
  });

  test("a restore leaves an empty database after a failure in the middle, and can be repeated", async () => {
    const file = await written(whole);
    const checked = await checkBackup(file, KEYS);
    const database = await openTestDatabase();
    const options = {
      path: file,
      checked,
      database,
      ...RESTORING,
      instruments: CATALOGUE,
    };
    // The file is changed between the check and the restore.
    await writeFile(file, whole.subarray(0, whole.length - 300));
    await expect(restoreBackup(options)).rejects.toThrow(/is torn/);
    const rows = await database.query("select 1 from accounts union all select 1 from keys", []);
    expect(rows).toEqual([]);
    await writeFile(file, whole);
    await expect(restoreBackup(options)).resolves.toMatchObject({ proof: { broken: [] } });
    await database.close();
  });

  test("a restore rejects tables that this schema does not have", async () => {
    const file = await written(whole);
    const checked = await checkBackup(file, KEYS);
    const database = await openTestDatabase();
    await database.query("alter table quotes add column later text", []);
    const options = {
      path: file,
      checked,
      database,
      ...RESTORING,
      instruments: CATALOGUE,
    };
    await expect(restoreBackup(options)).rejects.toThrow(
      /its table quotes does not have the columns/,
    );
    await database.close();
  });
});

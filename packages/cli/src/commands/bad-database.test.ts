import { existsSync, readdirSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import pg from "pg";
import { beforeAll, describe, expect, test } from "vitest";
import type { Database } from "../../../ledger/src/storage/databases/database.ts";
import { openPgliteFolder } from "../../../ledger/src/storage/databases/pglite-database.ts";
import { migrate } from "../../../ledger/src/storage/migrations/migrate.ts";
import {
  openScratchPostgres,
  type ScratchDatabase,
  testPostgresUrl,
} from "../../../server/src/testing/open-test-database.ts";
import { runCli } from "../testing/run-cli.ts";

const PASSWORD = "s3cr3t-pw";
let data = "";
beforeAll(async () => {
  data = await mkdtemp(join(tmpdir(), "propgate-bad-database-"));
  return () => rm(data, { recursive: true, force: true });
});

/**
 * The errors of `serve` and of `journal verify --offline`, which both open the database at the URL. Fails unless both
 * end with the exit code `exitCode`.
 */
async function errorsOf(url: string, exitCode = 5): Promise<readonly string[]> {
  const env = { PROPGATE_DATABASE_URL: url };
  const said: string[] = [];
  for (const command of [
    ["serve", "--port", "0", "--data", data],
    ["journal", "verify", "--offline"],
  ]) {
    const { code, stdout, stderr } = await runCli(command, { env });
    expect([command, code, stdout]).toEqual([command, exitCode, ""]);
    expect(stderr).not.toContain(PASSWORD);
    expect(stderr).not.toMatch(/\bat .*:\d+:\d+|node:internal/);
    said.push(stderr);
  }
  return said;
}

const LATER_SCHEMA = "insert into schema_migrations (number, name) values (9999, 'later')";
/** Commands that open the data of a database server or of a folder. */
const OPENING = [
  ["serve", "--port", "0"],
  ["journal", "verify", "--offline"],
  ["journal", "rebuild", "--offline"],
] as const;

/** Fails unless the command ends with exit code 5 and prints only the error line about a newer schema. */
async function expectNewer(
  command: readonly string[],
  env: Readonly<Record<string, string>>,
): Promise<void> {
  const { code, stdout, stderr } = await runCli(command, {
    env: { PROPGATE_DATA_DIR: join(data, "newer"), ...env },
  });
  expect([command, code, stdout]).toEqual([command, 5, ""]);
  const [line = "", ...more] = stderr.trimEnd().split("\n");
  expect(line).toMatch(
    /The database has schema 9999, this program knows \d+: .* Start that one\.$/,
  );
  expect([command, more]).toEqual([command, []]);
}

test("a folder of a newer release is refused by every command, and stays as it was: 5", async () => {
  const folder = join(data, "newer", "database");
  const open = (): Promise<Database> => openPgliteFolder(folder);
  const later = await open();
  await migrate(later);
  await later.query(LATER_SCHEMA);
  await later.close();
  const file = join(data, "of-a-folder.backup");
  for (const command of [...OPENING, ["backup", "--to", file, "--offline"]])
    await expectNewer(command, {});
  expect(existsSync(file)).toBe(false);
  // A failed start has created neither a key nor a token.
  expect(readdirSync(join(data, "newer"))).toEqual(["database"]);
  const after = await open();
  const rows = await after.query("select account_id from accounts", []);
  await after.close();
  expect(rows).toEqual([]);
});

describe("a database that cannot be used is named, its password never: 5", () => {
  test.each([
    [`postgres://u:${PASSWORD}@127.0.0.1:1/x`, "127.0.0.1:1/x"],
    [`postgres://u:${PASSWORD}@no.such.host.invalid/x`, "no.such.host.invalid"],
  ])("a command on %s names what is wrong, never the password", async (url, names) => {
    for (const said of await errorsOf(url)) expect(said).toContain(names);
  });
});

test.each([`postgres://u:${PASSWORD}@127.0.0.1:99999/x`, `postgres://u:${PASSWORD}@[/x`])(
  "an address that is none, %s, is a wrong setting, and its password is not shown: 2",
  async (url) => {
    for (const said of await errorsOf(url, 2)) expect(said).toContain("PROPGATE_DATABASE_URL");
  },
);

const server = await testPostgresUrl();

describe.skipIf(server === null)("a PostgreSQL that answers, but is not ours", () => {
  let database: ScratchDatabase;
  beforeAll(async () => {
    database = await openScratchPostgres(server ?? "");
    return () => database.close();
  });

  function withPassword(change: (url: URL) => void = () => undefined): string {
    const url = new URL(database.url);
    url.password = PASSWORD;
    change(url);
    return url.href;
  }

  test("an unknown database or user is named: 5", async () => {
    const missing = withPassword((url) => {
      url.pathname = "/propgate_no_such_database";
    });
    for (const said of await errorsOf(missing)) expect(said).toContain("propgate_no_such_database");
    const stranger = withPassword((url) => {
      url.username = "propgate_nobody";
    });
    for (const said of await errorsOf(stranger)) expect(said).toContain("propgate_nobody");
  });

  test("a schema of a newer release is refused by every command", async () => {
    await database.query(LATER_SCHEMA);
    const file = join(data, "of-a-server.backup");
    for (const command of [...OPENING, ["migrate"], ["backup", "--to", file, "--offline"]]) {
      await expectNewer(command, { PROPGATE_DATABASE_URL: withPassword() });
    }
    expect(existsSync(file)).toBe(false);
    await database.query("delete from schema_migrations where number = 9999");
  });

  test("tables of another program are refused by name: 5", async () => {
    await database.query("alter table schema_migrations rename to hidden");
    for (const said of await errorsOf(withPassword())) {
      expect(said).toContain('"accounts" already exists');
    }
    await database.query("drop table schema_migrations").catch(() => undefined);
    await database.query("alter table hidden rename to schema_migrations");
  });

  test("a journal that was tampered with: verify names the account and its first wrong line: 1", async () => {
    const { openHarness } = await import("../../../server/src/testing/harness.ts");
    const { openPostgres } = await import(
      "../../../ledger/src/storage/databases/postgres-database.ts"
    );
    const harness = await openHarness({ database: await openPostgres(database.url) });
    await harness.quote("BTCUSD", 50_000, 50_000);
    const trade = {
      execution_type: "MARKET",
      trade_pair: "BTCUSD",
      order_type: "LONG",
      value: 100,
    };
    expect((await harness.order(trade)).status).toBe(200);
    const { accountId } = harness;
    await harness.close();
    const verify = ["journal", "verify", "--offline", "--json"];
    const env = { PROPGATE_DATABASE_URL: database.url };
    expect((await runCli(verify, { env })).code).toBe(0);

    const client = new pg.Client({ connectionString: database.url });
    await client.connect();
    await client.query(
      "update journal set event = replace(event, '50000', '49999') where account_id = $1 and seq = 2",
      [accountId],
    );
    await client.end();
    const proof = await runCli(verify, { env });
    expect([proof.code, proof.stderr]).toEqual([1, ""]);
    expect(JSON.parse(proof.stdout)).toMatchObject({ broken: [{ accountId, sequence: 2 }] });
  });
});

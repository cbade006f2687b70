import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type AccountId, ownerId } from "@propgate/core";
import { beforeAll, describe, expect, test } from "vitest";
import {
  type Harness,
  OPERATOR_TOKEN,
  openHarness,
  TEST_MASTER_KEY,
} from "../../../server/src/testing/harness.ts";
import {
  openScratchPostgres,
  type ScratchDatabase,
  testPostgresUrl,
} from "../../../server/src/testing/open-test-database.ts";
import { type CliResult, runCli } from "../testing/run-cli.ts";

const ORDER = { execution_type: "MARKET", trade_pair: "BTCUSD", order_type: "LONG", value: 100 };
const postgres = await testPostgresUrl();

describe.skipIf(postgres === null)("the commands on several databases", () => {
  let folder = "";
  let databases: readonly ScratchDatabase[] = [];
  let service: Harness;
  let onSecond: AccountId;

  /** Runs the command with a list of the databases at these positions. */
  const run = (words: readonly string[], ...list: readonly number[]): Promise<CliResult> => {
    const urls = list.map((index) => databases[index]?.url ?? "");
    const env = { PROPGATE_DATABASE_URLS: urls.join(","), PROPGATE_MASTER_KEY: TEST_MASTER_KEY };
    return runCli([...words], { env });
  };
  const file = (name: string): string => join(folder, name);
  const online = (...words: readonly string[]): Promise<CliResult> =>
    runCli(["backup", ...words], {
      env: {
        PROPGATE_BASE_URL: `http://127.0.0.1:${service.port}`,
        PROPGATE_OPERATOR_TOKEN: OPERATOR_TOKEN,
      },
    });

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), "propgate-several-"));
    databases = await Promise.all([0, 1, 2, 3, 4].map(() => openScratchPostgres(postgres ?? "")));
    const migrated = await run(["migrate"], 0, 1);
    expect([migrated.code, migrated.stderr]).toEqual([0, ""]);
    expect(migrated.stdout).toMatch(/schema \d+ in all 2 databases\./);
    // The first command that opens both databases numbers them.
    const empty = await run(["journal", "verify", "--offline"], 0, 1);
    expect([empty.code, empty.stdout]).toEqual([1, expect.stringContaining("Nothing was checked")]);
    const [first, second] = databases.map((one) => ({ ...one, close: async () => undefined }));
    if (first === undefined || second === undefined) throw new Error("two databases were made");
    service = await openHarness({ database: first, otherDatabases: [second] });
    await service.quote("BTCUSD", 50_000, 50_000);
    onSecond = await service.newAccount({ ownerId: ownerId("owner-second") });
    for (const signer of [service.signer, await service.newKey({ accountId: onSecond })]) {
      expect((await service.order(ORDER, { signer })).status).toBe(200);
    }
    return async () => {
      await service.close();
      await Promise.all(databases.map((one) => one.close()));
      await rm(folder, { recursive: true });
    };
  });

  test("journals of both are verified, compared and exported", async () => {
    const verified = await run(["journal", "verify", "--offline", "--json"], 0, 1);
    expect(JSON.parse(verified.stdout)).toMatchObject({ accounts: 2, events: 4, broken: [] });
    const rebuilt = await run(["journal", "rebuild", "--offline", "--json"], 0, 1);
    expect(JSON.parse(rebuilt.stdout)).toMatchObject({ accounts: 2, written: 0 });
    for (const account of [service.accountId, onSecond]) {
      const out = file(`${account}.journal`);
      const done = await run(["journal", "export", "--offline", "--out", out, account], 0, 1);
      expect([done.code, done.stderr]).toEqual([0, ""]);
      expect((await readFile(out, "utf8")).trim().split("\n").length).toBeGreaterThan(2);
    }
  });

  test("a list in another order, of another installation or without a database is refused, and writes nothing: 5", async () => {
    const verify = ["journal", "verify", "--offline"];
    const swapped = await run(verify, 1, 0);
    expect([swapped.code, swapped.stderr]).toEqual([5, expect.stringMatching(/position|number/)]);
    const alone = await run(verify, 0);
    expect([alone.code, alone.stderr]).toEqual([
      5,
      expect.stringContaining("has 2 databases, and the settings name 1"),
    ]);
    const foreign = await run(verify, 4, 1);
    expect([foreign.code, foreign.stderr]).toEqual([
      5,
      expect.stringContaining("Database 1 of the list is of another installation"),
    ]);
    const settings = await databases[4]?.query("select name from settings", []);
    expect(settings).toEqual([]);
  });

  test("a backup is of one database, and the command asks which: 2", async () => {
    const offline = ["backup", "--offline", "--to", file("none.gz")];
    const unnamed = await run(offline, 0, 1);
    expect([unnamed.code, unnamed.stderr]).toEqual([
      2,
      expect.stringMatching(/names 2 databases.*--database with a number from 0 to 1/s),
    ]);
    const beyond = await run([...offline, "--database", "2"], 0, 1);
    expect([beyond.code, beyond.stderr]).toEqual([2, expect.stringContaining("no database 2")]);
    const wrong = await run([...offline, "--database", "x"], 0, 1);
    expect([wrong.code, wrong.stderr]).toEqual([2, expect.stringContaining("--database must be")]);
    const refused = await online("--to", file("none.gz"));
    expect(refused.code).not.toBe(0);
    expect(refused.stderr).toContain("database: must be a number from 0 to 1");
  });

  test("the files of both databases restore both, each into the database of its number only", async () => {
    const taken = await online("--to", file("second.gz"), "--database", "1", "--json");
    expect(JSON.parse(taken.stdout)).toMatchObject({ database: 1, rows: { accounts: 1 } });
    const first = ["backup", "--offline", "--to", file("first.gz"), "--database", "0"];
    const written = await run(first, 0, 1);
    expect([written.code, written.stderr]).toEqual([0, ""]);
    expect(written.stdout).toMatch(/^database +0$/m);

    const other = await run(["restore", "--from", file("second.gz"), "--database", "0"], 2, 3);
    expect([other.code, other.stderr]).toEqual([
      2,
      expect.stringMatching(/is the backup of database 1, not of database 0\./),
    ]);
    for (const [number, name] of ["first.gz", "second.gz"].entries()) {
      const words = ["restore", "--from", file(name), "--database", String(number), "--json"];
      const restored = await run(words, 2, 3);
      expect([restored.code, restored.stderr]).toEqual([0, ""]);
      expect(JSON.parse(restored.stdout)).toMatchObject({ rows: { accounts: 1 }, broken: [] });
    }
    const verified = await run(["journal", "verify", "--offline", "--json"], 2, 3);
    expect(JSON.parse(verified.stdout)).toMatchObject({ accounts: 2, events: 4, broken: [] });
    const swapped = await run(["journal", "verify", "--offline"], 3, 2);
    expect(swapped.code).toBe(5);
  });
});

describe("the list of databases in the environment", () => {
  const AWAY = "postgres://u:first-pw@127.0.0.1:1/x";
  const OTHER = "postgres://u:second-pw@127.0.0.1:1/y";

  test.each([
    ["migrate", "Database 0 of the list"],
    ["journal verify --offline", "127.0.0.1:1/x"],
    ["backup --offline --to FILE --database 1", "127.0.0.1:1/y"],
    ["prices verify --tape FILE", "127.0.0.1:1/x"],
  ])("%s names the database that is away, and never a password", async (command, named) => {
    const folder = await mkdtemp(join(tmpdir(), "propgate-away-"));
    const words = command.split(" ").map((word) => (word === "FILE" ? join(folder, "x") : word));
    const env = { PROPGATE_DATABASE_URLS: `${AWAY},${OTHER}` };
    const { stdout, stderr } = await runCli(words, { env });
    await rm(folder, { recursive: true });
    expect(stdout + stderr).toContain(named);
    expect(stdout + stderr).not.toMatch(/-pw/);
  });

  test.each([
    [`${AWAY},`, "has no URL at position 1"],
    [`${AWAY},${AWAY}`, "names the same database at the positions 0 and 1"],
    [
      `${AWAY},mysql://u:p-pw@127.0.0.1/z`,
      "must start with postgres:// or postgresql://, at position 1",
    ],
    [
      Array.from({ length: 65 }, (_, n) => `postgres://h/d${n}`).join(","),
      "must have 64 URLs at most",
    ],
  ])("a wrong list is refused with its position: 2 (%#)", async (list, problem) => {
    const words = ["journal", "verify", "--offline"];
    const { code, stderr } = await runCli(words, { env: { PROPGATE_DATABASE_URLS: list } });
    expect([code, stderr]).toEqual([
      2,
      expect.stringContaining(`PROPGATE_DATABASE_URLS ${problem}`),
    ]);
    expect(stderr).not.toMatch(/-pw/);
  });

  test("the list comes from a file too, and excludes the single URL: 2", async () => {
    const folder = await mkdtemp(join(tmpdir(), "propgate-list-"));
    const path = join(folder, "urls");
    await writeFile(path, `${AWAY},${OTHER}\n`, { mode: 0o600 });
    const read = await runCli(["migrate"], { env: { PROPGATE_DATABASE_URLS_FILE: path } });
    expect([read.code, read.stderr]).toEqual([5, expect.stringContaining("127.0.0.1:1/x")]);
    const env = { PROPGATE_DATABASE_URLS_FILE: path, PROPGATE_DATABASE_URL: AWAY };
    const both = await runCli(["migrate"], { env });
    await rm(folder, { recursive: true });
    expect([both.code, both.stderr]).toEqual([
      2,
      expect.stringContaining("PROPGATE_DATABASE_URL and PROPGATE_DATABASE_URLS are both set"),
    ]);
  });
});

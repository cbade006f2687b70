import { chmod, mkdtemp, readdir, readFile, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";
import { createClient } from "@propgate/sdk";
import { beforeAll, describe, expect, test } from "vitest";
import { eventually } from "../../../../test/eventually.ts";
import {
  type Harness,
  OPERATOR_TOKEN,
  openHarness,
  TEST_MASTER_KEY,
} from "../../../server/src/testing/harness.ts";
import {
  openScratchPostgres,
  testPostgresUrl,
} from "../../../server/src/testing/open-test-database.ts";
import { startCli } from "../testing/background-cli.ts";
import { type CliResult, runCli } from "../testing/run-cli.ts";

const ORDER = {
  execution_type: "MARKET",
  trade_pair: "BTCUSD",
  order_type: "LONG",
  value: 100,
} as const;

const postgres = await testPostgresUrl();

let service: Harness;
let folder = "";
let file = "";

/** Runs `backup` against the running service. */
const backup = (...given: readonly string[]): Promise<CliResult> =>
  runCli(["backup", ...given], {
    env: {
      PROPGATE_BASE_URL: `http://127.0.0.1:${service.port}`,
      PROPGATE_OPERATOR_TOKEN: OPERATOR_TOKEN,
    },
  });
const restore = (...given: readonly string[]): Promise<CliResult> =>
  runCli(["restore", ...given], { env: { PROPGATE_MASTER_KEY: TEST_MASTER_KEY } });

beforeAll(async () => {
  service = await openHarness();
  await service.quote("BTCUSD", 50_000, 50_000);
  expect((await service.order(ORDER)).status).toBe(200);
  const armed = { seconds: 10, action: "flatten" };
  const arming = { method: "POST", body: JSON.stringify(armed) };
  expect((await service.call("/api/v1/trading/cancel-all-after", arming)).status).toBe(200);
  folder = await mkdtemp(join(tmpdir(), "propgate-backup-"));
  file = join(folder, "all.gz");
  const taken = await backup("--to", file);
  expect([taken.code, taken.stderr]).toEqual([0, ""]);
  expect(taken.stdout).toMatch(/accounts +1, with 3 journal lines\n/);
  expect(taken.stdout).toContain("DOES NOT CONTAIN THE MASTER KEY");
  return async () => {
    await service.close();
    await rm(folder, { recursive: true });
  };
});

describe("propgate backup", () => {
  test("propgate backup makes a file for its owner only, without secrets, and leaves nothing else", async () => {
    expect((await stat(file)).mode & 0o777).toBe(0o600);
    expect(await readdir(folder)).toContain("all.gz");
    expect(await readdir(folder)).not.toContain("all.gz.unfinished");
    const text = gunzipSync(await readFile(file)).toString();
    expect(text).toContain(service.signer.keyId);
    for (const secret of [service.signer.secret, TEST_MASTER_KEY, OPERATOR_TOKEN]) {
      expect(text).not.toContain(secret);
      expect(text).not.toContain(Buffer.from(secret).toString("hex"));
    }
  });

  test("propgate backup tells the same as JSON", async () => {
    const json = await backup("--json", "--to", join(folder, "json.gz"));
    expect(JSON.parse(json.stdout)).toMatchObject({
      file: join(folder, "json.gz"),
      rows: { accounts: 1, journal: 3, nonces: 2 },
      sha256: expect.stringMatching(/^[0-9a-f]{64}$/),
      masterKeyIncluded: false,
    });
  });

  test("propgate backup replaces no file and names a place that cannot be written: 2", async () => {
    const before = await readFile(file);
    const again = await backup("--to", file);
    expect([again.code, again.stderr]).toEqual([
      2,
      `propgate: ${file} already exists\n  Choose another name.\n`,
    ]);
    expect(await readFile(file)).toEqual(before);
    const nowhere = await backup("--to", join(folder, "no", "where.gz"));
    expect(nowhere.code).toBe(2);
    expect(nowhere.stderr).toMatch(/the file cannot be written: ENOENT/);
  });

  test("propgate backup without a service, a token or data says so: 3, 4, 2", async () => {
    const to = ["--to", join(folder, "none.gz")];
    const env = { PROPGATE_OPERATOR_TOKEN: OPERATOR_TOKEN };
    const away = await runCli(["backup", "--url", "http://127.0.0.1:1", ...to], { env });
    expect([away.code, away.stderr]).toEqual([3, expect.stringMatching(/no answer from/)]);
    const url = ["--url", `http://127.0.0.1:${service.port}`];
    const stranger = await runCli(["backup", ...url, ...to], {
      env: { PROPGATE_OPERATOR_TOKEN: "op_of_another_service_0123456789" },
    });
    expect(stranger.code).toBe(4);
    const empty = join(folder, "empty");
    const offline = await runCli(["backup", "--offline", "--data", empty, ...to]);
    expect([offline.code, offline.stderr]).toEqual([
      2,
      expect.stringMatching(/there is nothing to back up in/),
    ]);
    expect(await readdir(folder)).not.toContain("empty");
    expect(await readdir(folder)).not.toContain("none.gz");
  });
});

describe("propgate restore", () => {
  test("propgate restore makes a folder that a service runs on, whose own backup goes into PostgreSQL", async () => {
    const data = join(folder, "restored");
    const done = await restore("--from", file, "--data", data);
    expect([done.code, done.stderr]).toEqual([0, ""]);
    expect(done.stdout).toContain("Every hash chain is intact");
    expect(done.stdout).toMatch(/^proved +by version 1 of the master key$/m);
    expect(done.stdout).toContain("DOES NOT CONTAIN THE MASTER KEY");
    expect(done.stdout).toContain(`restored into    the embedded database in ${data}`);
    expect(done.stdout).toContain("Keys that were revoked, people that were disabled");
    const twice = await restore("--from", file, "--data", data);
    expect([twice.code, twice.stderr]).toEqual([
      2,
      expect.stringMatching(
        /is not empty: its table \w+ has rows\.\n {2}Restore into a new database/,
      ),
    ]);

    const env = { PROPGATE_MASTER_KEY: TEST_MASTER_KEY, PROPGATE_OPERATOR_TOKEN: OPERATOR_TOKEN };
    const running = await startCli(["serve", "--json", "--port", "0", "--data", data], { env });
    const { accountId, firstKey, baseUrl, warnings } = JSON.parse(running.firstLine);
    expect([accountId, firstKey]).toEqual([service.accountId, null]);
    expect(JSON.stringify(warnings)).toContain("may only be read");
    // The dead man's switch of the restored account and its midnights have been overdue for months.
    const client = createClient({ baseUrl, ...service.signer });
    const reads = async () => [
      (await client.eventsPage()).items.length,
      (await client.positions()).length,
    ];
    const before = await reads();
    expect(before[1]).toBe(1);
    const refused = await client.placeOrder({ trade: ORDER });
    expect(JSON.stringify(refused)).toContain("was not carried out");
    const operator = ["--url", baseUrl, "--data", data];
    const health = await runCli(["operator", "health", ...operator], { env });
    expect(health.stdout).toMatch(/^restored, read only +20\d\d-/m);
    const promote = ["operator", "accounts", "promote", accountId, "--phase", "challenge"];
    const promoted = await runCli([...promote, ...operator], { env });
    expect([promoted.code, promoted.stderr]).toEqual([3, expect.stringContaining("were restored")]);
    expect(await reads()).toEqual(before);
    const confirmed = await runCli(["operator", "restore", "confirm", ...operator], { env });
    expect([confirmed.code, confirmed.stdout]).toEqual([
      0,
      expect.stringContaining("Confirmed the restore"),
    ]);
    const again = await runCli(["operator", "restore", "confirm", ...operator], { env });
    expect([again.code, again.stderr]).toEqual([1, expect.stringContaining("No restore waits")]);
    // After the confirmation the switch fires and closes the position.
    await eventually(async () => expect((await reads())[1]).toBe(0));
    const busy = await runCli(["backup", "--offline", "--data", data, "--to", join(folder, "x")]);
    expect([busy.code, busy.stderr]).toEqual([5, expect.stringMatching(/is in use by process/)]);
    await running.stop();

    const offline = join(folder, "offline.gz");
    const stopped = await runCli(["backup", "--offline", "--data", data, "--to", offline], { env });
    expect([stopped.code, stopped.stderr]).toEqual([0, ""]);

    if (postgres === null) return;
    const scratch = await openScratchPostgres(postgres);
    const grown = await restore("--from", offline, "--database-url", scratch.url, "--json");
    expect(grown.code).toBe(0);
    expect(JSON.parse(grown.stdout)).toMatchObject({ rows: { accounts: 1 }, broken: [] });
    await scratch.close();
  });

  test("propgate restore of a file that is torn makes nothing, not even the folder: 2", async () => {
    const torn = join(folder, "torn.gz");
    await writeFile(torn, (await readFile(file)).subarray(0, 400));
    const data = join(folder, "never");
    const refused = await restore("--from", torn, "--data", data);
    expect([refused.code, refused.stderr]).toEqual([
      2,
      `propgate: ${torn} is torn: its end is missing.\n  Take another backup, or use an older one.\n`,
    ]);
    expect(await readdir(folder)).not.toContain("never");
  });

  test("propgate restore of a file that the master key does not prove asks for --unproved: 2", async () => {
    const data = join(folder, "unproved");
    const given = ["restore", "--from", file, "--data", data];
    const refused = await runCli(given);
    expect([refused.code, refused.stderr]).toEqual([
      2,
      expect.stringMatching(/is not proved: version 1 of the master key.*--master-key-file/s),
    ]);
    expect(await readdir(folder)).not.toContain("unproved");
    const wrong = join(folder, "wrong.key");
    await writeFile(wrong, `1:${Buffer.alloc(32, 3).toString("base64")}\n`, { mode: 0o600 });
    const other = await runCli([...given, "--master-key-file", wrong, "--unproved"]);
    expect([other.code, other.stderr]).toEqual([2, expect.stringMatching(/is not authentic/)]);
    const done = await runCli([...given, "--unproved", "--json"]);
    expect(done.code).toBe(0);
    expect(JSON.parse(done.stdout)).toMatchObject({ proved: false, operators: expect.any(Array) });
    const untagged = ["--data", data, "--to", join(folder, "untagged.gz")];
    const keyless = await runCli(["backup", "--offline", ...untagged]);
    expect([keyless.code, keyless.stdout]).toEqual([0, expect.stringContaining("HAS NO TAG")]);
  });

  test.each([
    ["is no key", "nonsense", 0o600, /must be 32 bytes/],
    ["others can read", TEST_MASTER_KEY, 0o644, /users other than its owner may access it/],
  ])("restore with a master key file that %s writes nothing: 2", async (what, text, mode, why) => {
    const key = join(folder, `${what}.key`);
    await writeFile(key, text);
    await chmod(key, mode);
    const data = join(folder, what);
    const refused = await runCli([
      "restore",
      "--from",
      file,
      "--data",
      data,
      "--master-key-file",
      key,
    ]);
    expect([refused.code, refused.stderr]).toEqual([2, expect.stringMatching(why)]);
    expect(await readdir(folder)).not.toContain(what);
    const to = ["--to", join(folder, "no.gz"), "--offline", "--data", join(folder, "restored")];
    const backedUp = await runCli(["backup", ...to, "--master-key-file", key]);
    expect([backedUp.code, backedUp.stderr]).toEqual([2, expect.stringMatching(why)]);
  });

  test("a start on restored data without their key is refused and leaves no other key: 5", async () => {
    const data = join(folder, "keyless");
    expect((await restore("--from", file, "--data", data)).code).toBe(0);
    const before = await readdir(data);
    const refused = await runCli(["serve", "--port", "0", "--data", data]);
    expect([refused.code, refused.stderr]).toEqual([
      5,
      expect.stringMatching(/no master key.*was used with one/s),
    ]);
    expect(await readdir(data)).toEqual(before);
  });

  test("a sandbox's folder has no backup, and the error says how to copy it: 2", async () => {
    const data = join(folder, "sandbox");
    const running = await startCli(["sandbox", "--json", "--port", "0", "--data", data]);
    await running.stop();
    const to = ["--to", join(folder, "sandbox.gz")];
    const refused = await runCli(["backup", "--offline", "--data", data, ...to]);
    expect([refused.code, refused.stderr]).toEqual([
      2,
      expect.stringMatching(/data folder of a sandbox.*copy the folder/s),
    ]);
  });

  test("a restore writes only to the named place", async () => {
    const env = {
      PROPGATE_DATABASE_URL: "postgres://nobody@127.0.0.1:1/none",
      PROPGATE_MASTER_KEY: TEST_MASTER_KEY,
    };
    const both = ["--data", join(folder, "a"), "--database-url", "postgres://127.0.0.1:1/b"];
    expect((await restore("--from", file, ...both)).code).toBe(2);
    const nowhere = await restore("--from", file);
    expect([nowhere.code, nowhere.stderr]).toEqual([2, expect.stringMatching(/no place/)]);
    // With `--data`, the restore does not use a database URL that is left in the environment.
    const taken = join(folder, "taken");
    await writeFile(taken, "");
    const named = await runCli(["restore", "--from", file, "--data", taken], { env });
    expect([named.code, named.stderr]).toEqual([5, expect.stringContaining(taken)]);
    const server = await runCli(["restore", "--from", file], { env });
    expect([server.code, server.stderr]).toEqual([5, expect.stringMatching(/127\.0\.0\.1:1/)]);
  });

  test.skipIf(postgres === null)(
    "propgate restore of a broken journal says which line: 1",
    async () => {
      const { accountId } = service;
      await service.database.query(
        "update journal set event = replace(event, '50000', '49999') where account_id = $1 and seq = 2",
        [accountId],
      );
      const broken = join(folder, "broken.gz");
      expect((await backup("--to", broken)).code).toBe(0);
      const scratch = await openScratchPostgres(postgres ?? "");
      const done = await restore("--from", broken, "--database-url", scratch.url, "--json");
      await scratch.close();
      expect(done.code).toBe(1);
      expect(JSON.parse(done.stdout)).toMatchObject({ broken: [{ accountId, seq: 2 }] });
    },
  );
});

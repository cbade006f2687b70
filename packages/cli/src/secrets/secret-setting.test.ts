import { chmod, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { beforeAll, describe, expect, test } from "vitest";
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
import { runCli } from "../testing/run-cli.ts";

const PASSWORD = "s3cr3t-pw";
const AWAY = `postgres://u:${PASSWORD}@127.0.0.1:1/x`;
const postgres = await testPostgresUrl();

let folder = "";
let service: Harness;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "propgate-secrets-"));
  service = await openHarness();
  return async () => {
    await service.close();
    await rm(folder, { recursive: true });
  };
});

/** A file with the secret and a line end, as editors write it. */
async function fileWith(name: string, secret: string): Promise<string> {
  const file = join(folder, name);
  await writeFile(file, `${secret}\n`, { mode: 0o600 });
  return file;
}
const atService = () => ({ PROPGATE_BASE_URL: `http://127.0.0.1:${service.port}` });

describe("secrets of commands from files", () => {
  test("the operator's commands take the token from a file", async () => {
    const file = await fileWith("token", OPERATOR_TOKEN);
    const env = { ...atService(), PROPGATE_OPERATOR_TOKEN_FILE: file };
    const { code, stderr } = await runCli(["operator", "health", "--json"], { env });
    expect([code, stderr]).toEqual([0, ""]);
  });

  test("a secret that is given twice is refused: 2", async () => {
    const file = await fileWith("twice", OPERATOR_TOKEN);
    const env = {
      ...atService(),
      PROPGATE_OPERATOR_TOKEN: OPERATOR_TOKEN,
      PROPGATE_OPERATOR_TOKEN_FILE: file,
    };
    const { code, stderr } = await runCli(["operator", "health"], { env });
    expect([code, stderr]).toEqual([
      2,
      "propgate: PROPGATE_OPERATOR_TOKEN_FILE and PROPGATE_OPERATOR_TOKEN are both set\n",
    ]);
  });

  test("a file that other users may read is refused with its remedy: 2", async () => {
    const file = await fileWith("open", OPERATOR_TOKEN);
    await chmod(file, 0o644);
    const env = { ...atService(), PROPGATE_OPERATOR_TOKEN_FILE: file };
    const { code, stderr } = await runCli(["operator", "health"], { env });
    expect(code).toBe(2);
    expect(stderr).toContain(`PROPGATE_OPERATOR_TOKEN_FILE: ${file} contains a secret`);
    expect(stderr).toContain(`chmod 600 '${file}'`);
  });

  test.each([
    ["missing", "cannot be read"],
    ["empty", "is empty"],
  ])("a file that is %s is named: 2", async (name, why) => {
    const file = name === "empty" ? await fileWith(name, "") : join(folder, name);
    const env = { PROPGATE_DATABASE_URL_FILE: file };
    const { code, stderr } = await runCli(["journal", "verify", "--offline"], { env });
    expect([code, stderr]).toEqual([2, expect.stringContaining(why)]);
    expect(stderr).toContain(`PROPGATE_DATABASE_URL_FILE: ${file}`);
  });

  test.each([
    ["migrate"],
    ["backup --offline --to FILE"],
    ["restore --from FILE --unproved"],
    ["journal verify --offline"],
    ["journal rebuild --offline"],
    ["journal export --offline --out FILE 00000000-0000-4000-8000-000000000000"],
  ])("%s opens the database of the file, and never prints its password", async (command) => {
    const backup = join(folder, "backup.gz");
    if (command.startsWith("restore")) {
      const env = { ...atService(), PROPGATE_OPERATOR_TOKEN: OPERATOR_TOKEN };
      expect((await runCli(["backup", "--to", backup], { env })).code).toBe(0);
    }
    const made = join(folder, command.replaceAll(/\W/g, "-"));
    const file = command.startsWith("restore") ? backup : made;
    const words = command.split(" ").map((word) => (word === "FILE" ? file : word));
    const env = { PROPGATE_DATABASE_URL_FILE: await fileWith("url", AWAY) };
    const { code, stderr } = await runCli(words, { env });
    expect([code, stderr]).toEqual([5, expect.stringContaining("127.0.0.1:1/x")]);
    expect(stderr).not.toContain(PASSWORD);
  });

  test.skipIf(postgres === null)(
    "a backup and a restore take the database and the master key from files",
    async () => {
      const database = await openScratchPostgres(postgres ?? "");
      const url = await fileWith("owner", database.url);
      const key = await fileWith("key", TEST_MASTER_KEY);
      const file = join(folder, "tagged.gz");
      const migrated = await runCli(["migrate"], {
        env: { PROPGATE_MIGRATION_DATABASE_URL_FILE: url },
      });
      expect([migrated.code, migrated.stderr]).toEqual([0, ""]);
      const taken = await runCli(["backup", "--offline", "--json", "--to", file], {
        env: { PROPGATE_DATABASE_URL_FILE: url, PROPGATE_MASTER_KEY_FILE: key },
      });
      expect([taken.code, JSON.parse(taken.stdout).masterKeyVersion]).toEqual([0, 1]);
      await database.close();
      const restored = await runCli(
        ["restore", "--json", "--from", file, "--data", join(folder, "restored")],
        { env: { PROPGATE_MASTER_KEY_FILE: key } },
      );
      expect(JSON.parse(restored.stdout)).toMatchObject({ proved: true });
    },
  );
});

import { createHash } from "node:crypto";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { gunzipSync, gzipSync } from "node:zlib";
import { unixMs } from "@propgate/core";
import { beforeAll, describe, expect, test } from "vitest";
import { type MasterKeys, parseMasterKeys } from "../../../../base/src/keys/master-key.ts";
import { createSeededChance } from "../../../../base/src/random.ts";
import {
  CATALOGUE,
  type Harness,
  openHarness,
  TEST_MASTER_KEY,
} from "../../../../server/src/testing/harness.ts";
import { openTestDatabase } from "../../../../server/src/testing/open-test-database.ts";
import { makeTemporaryFolder } from "../../../../server/src/testing/temporary-folder.ts";
import { checkBackup } from "./backup-file.ts";
import { restoreBackup } from "./restore-backup.ts";
import { takeBackup } from "./take-backup.ts";

/** The options of a restore that are the same in all tests. */
const RESTORING = {
  now: unixMs(1_767_700_000_000),
  chance: createSeededChance("restore"),
  log: { info: () => undefined },
};

const KEYS = parseMasterKeys(TEST_MASTER_KEY);

const check = (path: string, masterKeys: MasterKeys | null, mayBeUnproved = false) =>
  checkBackup(path, { masterKeys, mayBeUnproved });

/** Recomputes the plain hash of a file, which needs no key. */
function rehashed(text: string): string {
  const lines = text.trimEnd().split("\n");
  const trailer = JSON.parse(lines.at(-1) ?? "") as {
    sha256: string;
    rows: Record<string, number>;
  };
  const before = `${lines.slice(0, -1).join("\n")}\n`;
  const rows: Record<string, number> = {};
  let table = "";
  for (const line of lines.slice(1, -1)) {
    const value: unknown = JSON.parse(line);
    if (Array.isArray(value)) rows[table] = (rows[table] ?? 0) + 1;
    else {
      table = String((value as { table: string }).table);
      rows[table] = 0;
    }
  }
  const sha256 = createHash("sha256").update(before).digest("hex");
  return `${before}${JSON.stringify({ ...trailer, rows, sha256 })}\n`;
}

describe("a backup is proved by the master key [D10.backupProved]", () => {
  let text: string;
  let other: string;
  let service: Harness;
  const taken = async (masterKeys: MasterKeys | null): Promise<string> => {
    const nowMs = service.time.clock.now();
    const parts: Uint8Array[] = [];
    const content = await takeBackup({ database: service.database, nowMs, masterKeys });
    for await (const part of content) parts.push(part);
    return gunzipSync(Buffer.concat(parts)).toString();
  };
  const file = async (content: string | Uint8Array): Promise<string> => {
    const path = join(await makeTemporaryFolder(), "backup.gz");
    await writeFile(path, gzipSync(content));
    return path;
  };
  beforeAll(async () => {
    service = await openHarness({ seed: "proved" });
    text = await taken(KEYS);
    await service.time.pass(1000);
    other = await taken(KEYS);
    return () => service.close();
  });

  const withOperator = (content: string): string =>
    content.replace(
      /\{"table":"people",.*\n/,
      (line) =>
        `${line}["99999999-0000-4000-8000-000000000000","backdoor","backdoor","operator",null,"$argon2id$x","1",null]\n`,
    );

  test("an added operator with a recomputed hash is rejected [security F6]", async () => {
    const altered = rehashed(withOperator(text));
    expect(altered).toContain("backdoor");
    await expect(check(await file(altered), KEYS)).rejects.toMatchObject({
      name: "BackupRefused",
      message: expect.stringMatching(/is not authentic: its tag does not match version 1/),
    });
  });

  test.each<[string, (lines: string[]) => string[]]>([
    [
      "two rows in each other's place",
      (lines) => {
        const at = lines.findIndex(
          (line, index) => /^\[/.test(line) && /^\[/.test(lines[index + 1] ?? ""),
        );
        const [one = "", next = ""] = lines.slice(at, at + 2);
        return lines.toSpliced(at, 2, next, one);
      },
    ],
    [
      "a row left out",
      (lines) =>
        lines.toSpliced(
          lines.findIndex((line) => line.startsWith("[")),
          1,
        ),
    ],
    [
      "an older time",
      (lines) => lines.with(0, (lines[0] ?? "").replace(/("takenAtMs":)\d/, "$19")),
    ],
    [
      "the trailer of another backup",
      (lines) => lines.with(-2, other.trimEnd().split("\n").at(-1) ?? ""),
    ],
  ])("%s is refused", async (_, change) => {
    const altered = rehashed(change(text.split("\n")).join("\n"));
    expect(altered).not.toBe(text);
    await expect(check(await file(altered), KEYS)).rejects.toThrow(/is not authentic/);
  });

  test("another master key of the same version is rejected", async () => {
    const wrong = parseMasterKeys(Buffer.alloc(32, 9).toString("base64"));
    await expect(check(await file(text), wrong)).rejects.toThrow(/or that is another master key/);
  });

  test("a backup from before a rekeying is proved by the older version", async () => {
    const newer = parseMasterKeys(
      `1:${TEST_MASTER_KEY},2:${Buffer.alloc(32, 9).toString("base64")}`,
    );
    expect(await check(await file(text), newer)).toMatchObject({ proof: "proved" });
    const later = await file(await taken(newer));
    expect(await check(later, newer)).toMatchObject({
      proof: "proved",
      header: { masterKey: 2 },
    });
    expect(await check(later, KEYS, true)).toMatchObject({ proof: "noKey" });
  });

  test.each<[string, () => Promise<string>, MasterKeys | null, RegExp]>([
    ["without its master key", async () => withOperator(text), null, /version 1 of the master key/],
    [
      "of format 1",
      async () =>
        withOperator(text)
          .replace('"format":2', '"format":1')
          .replace('"masterKey":1,', "")
          .replace(/,"tag":"[0-9a-f]+"/, ""),
      KEYS,
      /it has no tag/,
    ],
    [
      "taken without a master key",
      async () => withOperator(await taken(null)),
      KEYS,
      /it has no tag/,
    ],
  ])(
    "one %s is restored only when that is asked for, and names its operators",
    async (...given) => {
      const [, content, keys, words] = given;
      const path = await file(rehashed(await content()));
      await expect(check(path, keys)).rejects.toMatchObject({
        name: "BackupRefused",
        message: expect.stringMatching(words),
        fix: expect.stringContaining("--unproved"),
      });
      await expect(check(path, keys)).rejects.toThrow(
        /Its people with the role operator: .*"backdoor"/,
      );
      const checked = await check(path, keys, true);
      expect(checked.operators).toContain("backdoor");
      const database = await openTestDatabase();
      await expect(
        restoreBackup({ path, checked, database, instruments: CATALOGUE, ...RESTORING }),
      ).resolves.toMatchObject({ proof: { broken: [] } });
      await database.close();
    },
  );

  test("a file that is replaced between its check and its restore is rejected", async () => {
    const path = await file(text);
    const checked = await check(path, KEYS);
    await writeFile(path, gzipSync(rehashed(withOperator(text))));
    const database = await openTestDatabase();
    const options = { path, checked, database, instruments: CATALOGUE, ...RESTORING };
    await expect(restoreBackup(options)).rejects.toThrow(/was replaced while it was read/);
    expect(await database.query("select 1 from people", [])).toEqual([]);
    await database.close();
  });

  test("compressed zeros are rejected after one line's length [security F19]", async () => {
    const zeros = await file(Buffer.alloc(64 * 1024 * 1024));
    await expect(check(zeros, KEYS)).rejects.toThrow(/is not a backup of this service/);
  });
});

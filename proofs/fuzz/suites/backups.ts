import assert from "node:assert/strict";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { gunzipSync, gzipSync } from "node:zlib";
import type { Instruments } from "@propgate/core";
import { takeBackup } from "@propgate/server";
import fc from "fast-check";
import { parseMasterKeys } from "../../../packages/base/src/keys/master-key.ts";
import { createSeededChance } from "../../../packages/base/src/random.ts";
import { unixMs } from "../../../packages/core/src/units.ts";
import type { Database } from "../../../packages/ledger/src/storage/databases/database.ts";
import { checkBackup } from "../../../packages/ledger/src/trading/backup/backup-file.ts";
import { BackupRefused } from "../../../packages/ledger/src/trading/backup/backup-refused.ts";
import { BACKUP_TABLES } from "../../../packages/ledger/src/trading/backup/backup-tables.ts";
import { restoreBackup } from "../../../packages/ledger/src/trading/backup/restore-backup.ts";
import { openHarness, TEST_MASTER_KEY } from "../../../packages/server/src/testing/harness.ts";
import { openTestDatabase } from "../../../packages/server/src/testing/open-test-database.ts";
import { createFuzzSuite, type FuzzSuite } from "../fuzz-suite.ts";

/** The time, the random numbers and the log with which the suite restores a backup. */
const RESTORING = {
  now: unixMs(1_767_700_000_000),
  chance: createSeededChance("restore"),
  log: { info: () => undefined },
};

const ORDER = { execution_type: "MARKET", trade_pair: "BTCUSD", order_type: "LONG", value: 100 };
const ORDERS = 3;
const CHECK = { masterKeys: parseMasterKeys(TEST_MASTER_KEY), mayBeUnproved: false };

/** Returns a backup of a service that has traded. */
async function tradedBackup(instruments: Instruments): Promise<Buffer> {
  const service = await openHarness({ instruments, seed: "fuzzed backup" });
  await service.quote("BTCUSD", 90_000, 90_000);
  for (let count = 0; count < ORDERS; count += 1) {
    assert.equal((await service.order(ORDER)).status, 200);
  }
  const parts: Uint8Array[] = [];
  const nowMs = service.time.clock.now();
  for await (const part of await takeBackup({
    database: service.database,
    nowMs,
    masterKeys: CHECK.masterKeys,
  }))
    parts.push(part);
  await service.close();
  return Buffer.concat(parts);
}

type Edit = (whole: Buffer) => Buffer;

const edits: fc.Arbitrary<Edit> = fc.oneof(
  fc.tuple(fc.nat(), fc.nat(7)).map(
    ([at, bit]) =>
      (whole: Buffer) =>
        flipped(whole, at, bit),
  ),
  fc.nat().map((end) => (whole: Buffer) => whole.subarray(0, end % whole.length)),
  fc.nat().map((start) => (whole: Buffer) => whole.subarray(1 + (start % (whole.length - 1)))),
  fc
    .uint8Array({ minLength: 1, maxLength: 50 })
    .map((more) => (whole: Buffer) => Buffer.concat([whole, more])),
  // Flips a bit of the decompressed text; the file itself is valid gzip again.
  fc.tuple(fc.nat(), fc.nat(7)).map(
    ([at, bit]) =>
      (whole: Buffer) =>
        gzipSync(flipped(gunzipSync(whole), at, bit)),
  ),
  fc.tuple(fc.nat(), fc.nat()).map(
    ([one, other]) =>
      (whole: Buffer) =>
        gzipSync(swapped(gunzipSync(whole), one, other)),
  ),
  fc.constant((whole: Buffer) => gzipSync(withAnotherTag(gunzipSync(whole).toString("latin1")))),
  fc.nat().map((end) => (whole: Buffer) => {
    const text = gunzipSync(whole);
    return gzipSync(text.subarray(0, end % text.length));
  }),
);

/** A changed backup is refused, and no row of it is restored. */
export async function openBackupsSuite(
  folder: string,
  instruments: Instruments,
): Promise<{ readonly suite: FuzzSuite; close(): Promise<void> }> {
  const whole = await tradedBackup(instruments);
  const path = join(folder, "backup.gz");
  await writeFile(path, whole);
  const before = await checkBackup(path, CHECK);
  const database = await openTestDatabase();
  const suite = createFuzzSuite({
    name: "backup files",
    defaultRuns: 300,
    inputs: edits,
    async try(edit) {
      await writeFile(path, edit(whole));
      try {
        // A change within gzip's header leaves the content as it was, so the check accepts the file.
        assert.deepEqual(await checkBackup(path, CHECK), before);
      } catch (cause) {
        expectRefused(cause, path);
        // Restores the file as if it had been changed after its check: the transaction must roll back everything.
        const late = restoreBackup({ path, checked: before, database, instruments, ...RESTORING });
        await assert.rejects(late);
        await expectEmpty(database);
      }
    },
  });
  return { suite, close: () => database.close() };
}

function expectRefused(cause: unknown, path: string): void {
  if (!(cause instanceof BackupRefused)) throw cause;
  assert.ok(cause.message.includes(path) && cause.fix !== "", cause.message);
}

async function expectEmpty(database: Database): Promise<void> {
  for (const { name } of BACKUP_TABLES) {
    assert.deepEqual(await database.query(`select 1 from ${name} limit 1`, []), [], name);
  }
}

function flipped(bytes: Buffer, at: number, bit: number): Buffer {
  const turned = Buffer.from(bytes);
  turned[at % turned.length] = (turned[at % turned.length] ?? 0) ^ (1 << bit);
  return turned;
}

/**
 * The text with another `tag`. The hash in the file does not cover the tag, so only the tag's own check finds this
 * change.
 */
function withAnotherTag(text: string): Buffer {
  const other = text.replace(/"tag":"(.)/, (_, first) => `"tag":"${first === "0" ? "1" : "0"}`);
  return Buffer.from(other, "latin1");
}

function swapped(text: Buffer, one: number, other: number): Buffer {
  const lines = text.toString("latin1").split("\n");
  const [first, second] = [one % lines.length, other % lines.length];
  [lines[first], lines[second]] = [lines[second] ?? "", lines[first] ?? ""];
  return Buffer.from(lines.join("\n"), "latin1");
}

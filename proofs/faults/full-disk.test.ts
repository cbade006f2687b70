import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { runCliProcess } from "../../packages/cli/src/testing/run-cli.ts";
import { openPgliteFolder } from "../../packages/ledger/src/storage/databases/pglite-database.ts";
import { migrate } from "../../packages/ledger/src/storage/migrations/migrate.ts";
import { createSettingStore } from "../../packages/ledger/src/storage/stores/setting-store.ts";
import { type Harness, openHarness } from "../../packages/server/src/testing/harness.ts";
import { createOperatorClient } from "../../packages/server/src/testing/operator-client.ts";
import { eventually } from "../../test/eventually.ts";
import {
  inspectAnswers,
  NO_FINDINGS,
  type OrderAnswer,
  placeSmallBuy,
  readPublicHealth,
} from "./order-load.ts";
import { canHaveSmallDisk, openSmallDisk, type SmallDisk } from "./small-disk.ts";

async function untilRefused(trade: () => Promise<number>): Promise<void> {
  let status = 200;
  while (status === 200) status = await trade();
  expect(status).toBe(500);
}

const NO_SPACE = /No space/;
const STOPPED = /has stopped|does not open|No space/;

async function smallDisk(megabytes: number): Promise<SmallDisk> {
  const disk = await openSmallDisk(megabytes);
  onTestFinished(() => disk.remove());
  return disk;
}

/** A service whose database is on a small disk, after its first five orders were answered. */
async function openOnSmallDisk() {
  const disk = await smallDisk(128);
  const database = await openPgliteFolder(join(disk.path, "db"), { reopenAfterMs: 200 });
  await migrate(database);
  const service = await openHarness({ database });
  await service.quote("BTCUSD", 50_000, 50_000);
  const answers: OrderAnswer[] = [];
  const trade = async (): Promise<number> => {
    answers.push(await placeSmallBuy(service, `order-${answers.length}`));
    return answers.at(-1)?.status ?? 0;
  };
  for (let count = 0; count < 5; count += 1) expect(await trade()).toBe(200);
  return { disk, database, service, answers, trade };
}

/**
 * Expects the fault in `/ready` and `/health`, and expects the same after a probe, which must also fail with the
 * reason.
 */
async function expectFault(service: Harness, reason: RegExp): Promise<void> {
  for (let probes = 0; probes < 2; probes += 1) {
    expect(await readPublicHealth(service)).toMatchObject({
      status: 503,
      body: { status: "degraded", problem: "the database fails" },
    });
    expect(await createOperatorClient(service).data("GET", "/health")).toMatchObject({
      storageFault: { reason: expect.stringMatching(reason) },
    });
    await expect(service.storage.probe()).rejects.toThrow(reason);
  }
}

describe.skipIf(!canHaveSmallDisk())("a full disk", () => {
  test("a full disk rejects orders with 5xx and loses none, and orders continue when space is free [S5.R2]", async () => {
    const { disk, database, service, answers, trade } = await openOnSmallDisk();
    const small = (): Promise<void> =>
      createSettingStore(service.storage.database).set("small", String(answers.length));
    await small();

    // In the first round the tables cannot grow, but small writes still work, such as the write that completes the
    // receipt of the failed order. In the second round the write-ahead log cannot grow, which stops the database.
    for (const stops of [false, true]) {
      disk.fill();
      if (stops) await database.query("select pg_switch_wal()", []).catch(() => undefined);
      await untilRefused(trade);
      await expectFault(service, stops ? STOPPED : NO_SPACE);
      if (!stops) {
        await small();
        await expectFault(service, NO_SPACE);
      }

      disk.free();
      await eventually(async () => expect(await trade()).toBe(200));
      expect(await readPublicHealth(service)).toMatchObject({ status: 200 });
    }
    expect(answers.filter(({ status }) => status !== 200 && status !== 500)).toEqual([]);
    expect(await inspectAnswers(database, answers)).toEqual(NO_FINDINGS);
    for (const { nonce } of answers.filter(({ status }) => status === 200).slice(-10)) {
      expect((await placeSmallBuy(service, nonce)).status).toBe(409);
    }
    await service.close();
  });

  test("a service that gets no orders finds out by itself that there is space again", async () => {
    const { disk, service, trade } = await openOnSmallDisk();
    disk.fill();
    await untilRefused(trade);
    await expectFault(service, NO_SPACE);
    disk.free();
    await service.storage.probe();
    expect(await readPublicHealth(service)).toMatchObject({ status: 200 });
    expect(await createOperatorClient(service).data("GET", "/health")).toMatchObject({
      storageFault: null,
    });
    expect(await trade()).toBe(200);
    await service.close();
  });

  test("a service does not start on a full or read-only disk, and names the file", async () => {
    const disk = await smallDisk(64);
    disk.fill();
    const serve = ["serve", "--port", "0", "--data", join(disk.path, "data")];
    const full = await runCliProcess(serve);
    expect([full.code, full.stdout]).toEqual([5, ""]);
    expect(full.stderr).toMatch(/^propgate: [^\n]*(no space left on device|does not open)/i);
    expect(full.stderr).not.toMatch(/\bat .*:\d+:\d+/);
    disk.free();
    await disk.makeReadOnly();
    const readOnly = await runCliProcess(serve);
    expect([readOnly.code, readOnly.stdout]).toEqual([5, ""]);
    expect(readOnly.stderr).toMatch(/^propgate: [^\n]*read-only file system/i);
    expect(readOnly.stderr).not.toMatch(/\bat .*:\d+:\d+/);
  });
});

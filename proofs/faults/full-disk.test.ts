import { join } from "node:path";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import { runCliProcess } from "../../packages/cli/src/testing/run-cli.ts";
import { openPgliteFolder } from "../../packages/server/src/storage/databases/pglite-database.ts";
import { migrate } from "../../packages/server/src/storage/migrations/migrate.ts";
import { openHarness } from "../../packages/server/src/testing/harness.ts";
import { operatorClient } from "../../packages/server/src/testing/operator-client.ts";
import { inspect, NOTHING_WRONG, type OrderAnswer, place, publicHealth } from "./order-load.ts";
import { canHaveSmallDisk, openSmallDisk, type SmallDisk } from "./small-disk.ts";

async function untilRefused(trade: () => Promise<number>): Promise<void> {
  let status = 200;
  while (status === 200) status = await trade();
  expect(status).toBe(500);
}

const STOPPED = /has stopped|does not open|No space/;

async function smallDisk(megabytes: number): Promise<SmallDisk> {
  const disk = await openSmallDisk(megabytes);
  onTestFinished(() => disk.remove());
  return disk;
}

describe.skipIf(!canHaveSmallDisk())("a full disk", () => {
  test("a full disk rejects orders with 5xx and loses none, and orders continue when space is free [S5.R2]", async () => {
    const disk = await smallDisk(128);
    const database = await openPgliteFolder(join(disk.path, "db"), { reopenAfterMs: 200 });
    await migrate(database);
    const service = await openHarness({ database });
    const operator = operatorClient(service);
    await service.quote("BTCUSD", 50_000, 50_000);
    const answers: OrderAnswer[] = [];
    const trade = async (): Promise<number> => {
      answers.push(await place(service, `order-${answers.length}`));
      return answers.at(-1)?.status ?? 0;
    };
    for (let count = 0; count < 5; count += 1) expect(await trade()).toBe(200);

    // First the tables cannot grow, then the log cannot, which stops the database. In the first case small writes still
    // work, such as the end of the receipt of the failed order, so health may say that the database works.
    for (const stops of [false, true]) {
      disk.fill();
      if (stops) await database.query("select pg_switch_wal()", []).catch(() => undefined);
      await untilRefused(trade);
      if (stops) {
        expect(await publicHealth(service)).toMatchObject({ status: 503 });
        expect(await operator.data("GET", "/health")).toMatchObject({
          storageFault: { reason: expect.stringMatching(STOPPED) },
        });
      }

      disk.free();
      await vi.waitFor(async () => expect(await trade()).toBe(200), 15_000);
      expect(await publicHealth(service)).toMatchObject({ status: 200 });
    }
    expect(answers.filter(({ status }) => status !== 200 && status !== 500)).toEqual([]);
    expect(await inspect(database, answers)).toEqual(NOTHING_WRONG);
    for (const { nonce } of answers.filter(({ status }) => status === 200).slice(-10)) {
      expect((await place(service, nonce)).status).toBe(409);
    }
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

import { unixMs } from "@propgate/core";
import { beforeEach, expect, test } from "vitest";
import { openLog } from "../../../base/src/log.ts";
import { createRestoreStore } from "../../../ledger/src/storage/stores/restore-store.ts";
import { createBarredExecutor, DataReadOnly } from "../../../ledger/src/trading/barred-executor.ts";
import { TEST_NOON } from "../testing/counting-network.ts";
import { describeOnEachDatabase } from "../testing/each-database.ts";
import { createManualEngine } from "../testing/manual-engine.ts";
import { BTCUSD } from "../testing/small-market.ts";
import { openDataLife } from "./data-life.ts";

const NOON = unixMs(TEST_NOON);

await describeOnEachDatabase("the life of the data", (database) => {
  const lines: string[] = [];
  const open = (confirms = false) =>
    openDataLife({
      databases: [database()],
      clock: { now: () => NOON },
      log: openLog("warn", { write: (line) => void lines.push(line) }),
      confirms,
    });
  const restore = (incarnation: string) =>
    createRestoreStore(database()).begin(incarnation, {
      asOfMs: unixMs(NOON - 60_000),
      restoredAtMs: NOON,
    });
  beforeEach(() => void lines.splice(0));

  test("the data is never read only without a restore, and one is confirmed once [D13.readOnly]", async () => {
    const life = await open();
    expect([life.isReadOnly(), life.unconfirmedRestore(), await life.confirm()]).toEqual([
      false,
      null,
      null,
    ]);
    await restore("first");
    const [one, other] = [await open(), await open()];
    expect([one.isReadOnly(), other.isReadOnly()]).toEqual([true, true]);
    expect(lines.join("")).toContain("the data were restored and may only be read");
    expect(await one.confirm()).toMatchObject({ asOfMs: NOON - 60_000, confirmedAtMs: NOON });
    expect([one.isReadOnly(), other.isReadOnly()]).toEqual([false, true]);
    await other.job.run();
    expect(other.isReadOnly()).toBe(false);
    expect(await one.confirm()).toBeNull();
    expect((await open()).isReadOnly()).toBe(false);
    await restore("second");
    expect((await open(true)).isReadOnly()).toBe(false);
  });

  test("a process that the database was restored under has ended, and it writes no more [D13.incarnation]", async () => {
    const life = await open();
    await life.job.run();
    expect(life.isReadOnly()).toBe(false);
    await restore("under it");
    await life.job.run();
    expect(life.isReadOnly()).toBe(true);
    expect(await life.ended).toMatchObject({
      name: "CannotStart",
      message: "The database was restored while this process ran on it",
    });
    // A confirmation does not help this process, which began with an earlier life of the data.
    await life.confirm();
    expect(life.isReadOnly()).toBe(true);
  });

  test("a process looks for a restore as often while the database fails, so it ends as soon after one [D13.incarnation]", async () => {
    const { job } = await open();
    expect(job).toMatchObject({ everyMs: 1_000, retryMs: 1_000 });
  });

  test("a process that may only read carries out no order and no due work [D13.readOnly]", async () => {
    let isReadOnly = false;
    const engine = createManualEngine(database(), { seed: "read only" });
    const executor = createBarredExecutor(
      () => (isReadOnly ? new DataReadOnly() : null),
      engine.executor,
    );
    const id = await engine.open();
    await engine.quote(BTCUSD, 50_000);
    await engine.buy(id, BTCUSD, 0.5);
    isReadOnly = true;
    const pass = () =>
      executor.submit({ accountId: id, command: { type: "passTime" }, origin: { by: "clock" } });
    await expect(pass()).rejects.toThrow(DataReadOnly);
    isReadOnly = false;
    expect(await pass()).toMatchObject({ ok: true });
  });
});

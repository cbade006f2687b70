import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { orderUuid, price, ratio, unixMs } from "@propgate/core";
import { beforeAll, expect, test } from "vitest";
import { createSeededChance } from "../../../../base/src/random.ts";
import { TEST_NOON } from "../../../../server/src/testing/counting-network.ts";
import { describeOnEachDatabase } from "../../../../server/src/testing/each-database.ts";
import { createManualEngine } from "../../../../server/src/testing/manual-engine.ts";
import { openTestDatabase } from "../../../../server/src/testing/open-test-database.ts";
import { BTCUSD, SMALL_CATALOGUE } from "../../../../server/src/testing/small-market.ts";
import { makeTemporaryFolder } from "../../../../server/src/testing/temporary-folder.ts";
import type { Database } from "../../storage/databases/database.ts";
import { createAuditStore } from "../../storage/stores/audit-store.ts";
import { createRestoreStore } from "../../storage/stores/restore-store.ts";
import { checkBackup } from "./backup-file.ts";
import { type RestoreResult, restoreBackup } from "./restore-backup.ts";
import { takeBackup } from "./take-backup.ts";

const HOUR_MS = 3_600_000;
/** 2026-01-12, a Monday. */
const MONDAY = unixMs(TEST_NOON - 12 * HOUR_MS + 7 * 24 * HOUR_MS);
const RESTORED_AT = unixMs(MONDAY + HOUR_MS);

async function backedUp(database: Database): Promise<Buffer> {
  const parts: Uint8Array[] = [];
  const given = { database, nowMs: MONDAY, masterKeys: null };
  for await (const part of await takeBackup(given)) parts.push(part);
  return Buffer.concat(parts);
}

async function restored(backup: Buffer, database: Database): Promise<RestoreResult> {
  const path = join(await makeTemporaryFolder(), "backup.gz");
  await writeFile(path, backup);
  return restoreBackup({
    path,
    checked: await checkBackup(path, { masterKeys: null, mayBeUnproved: true }),
    database,
    instruments: SMALL_CATALOGUE,
    now: RESTORED_AT,
    chance: createSeededChance("restored data"),
    log: { info: () => undefined },
  });
}

async function payoutIds(database: Database): Promise<readonly string[]> {
  const rows = await database.query<{ readonly payout_id: string }>(
    "select payout_id from payouts order by payout_id",
    [],
  );
  return rows.map(({ payout_id: id }) => id);
}

await describeOnEachDatabase("a backup of a service that trades", (database) => {
  let backup: Buffer = Buffer.alloc(0);
  let paid = "";
  let shownStop: number | null = null;
  const [trader, other] = [orderUuid("trailing"), orderUuid("resting")];

  beforeAll(async () => {
    const engine = createManualEngine(database(), { seed: "backed up" });
    const earners = [await engine.openFunded(), await engine.openFunded()];
    for (const id of earners) await engine.earn(id, 51_000);
    engine.now = MONDAY;
    await engine.due.runDue();
    paid = (await payoutIds(database()))[0] ?? "";
    const id = await engine.open();
    await engine.quote(BTCUSD, 50_000);
    const trailing = { kind: "percent", ratio: ratio(0.02) } as const;
    await engine.order(id, {
      type: "placeMarket",
      orderUuid: trader,
      pair: BTCUSD,
      direction: "long",
      size: { kind: "quantity", lots: 0.5 },
      reduceOnly: false,
      legs: [{ stopLoss: null, takeProfit: null, trailing, size: null }],
    });
    await engine.order(id, {
      type: "placeLimit",
      orderUuid: other,
      pair: BTCUSD,
      direction: "long",
      size: { kind: "quantity", lots: 0.1 },
      legs: [],
      limitPrice: price(40_000),
      reduceOnly: false,
    });
    await engine.order(id, { type: "cancelAllAfter", afterMs: 10_000, action: "flatten" });
    await engine.quote(BTCUSD, 50_400);
    const read = await engine.network.positions({ accountId: id, version: 0 });
    shownStop = (read.ok ? read.value[0]?.stopLoss : null) ?? null;
    backup = await backedUp(database());
    // After the backup, a payment is recorded and the stop rises.
    await engine.payouts.record(paid, {
      status: "paid",
      rail: null,
      provider: null,
      reference: "wire 1",
      paidAmount: null,
    });
  });

  test("a backup of a trading service holds every stop that an answer has shown, without a tape [D13.stopNeverFalls]", async () => {
    const target = await openTestDatabase();
    await restored(backup, target);
    const engine = createManualEngine(target, { seed: "restored", now: MONDAY });
    await engine.restore();
    const [entry] = await engine.accountStore.newest(null, 1);
    if (entry === undefined) throw new Error("no account");
    // This price is below the best price that the stop has followed.
    await engine.quote(BTCUSD, 50_200);
    const read = await engine.network.positions(entry);
    expect(shownStop).toBe(49_392);
    expect(read.ok && read.value.map(({ stopLoss }) => stopLoss)).toEqual([49_392]);
    await target.close();
  });

  test("a backup of a trading service is restored with what it does not know: switches, orders, payouts that may have been paid, and a line of the audit [D13.restoredPayouts] [D13.restoreAudited]", async () => {
    const target = await openTestDatabase();
    const { held, audit } = await restored(backup, target);
    expect(held).toEqual({
      positions: 1,
      restingOrders: 1,
      armedSwitches: 1,
      unpaidPayouts: { count: 2, amount: 2 * 969_700_000 },
      usableKeys: 0,
    });
    const { payouts } = createManualEngine(target, { seed: "paying", now: RESTORED_AT });
    const ids = await payoutIds(target);
    const unpaid = () =>
      Promise.all(ids.map(async (id) => [id, (await payouts.find(id))?.restored] as const));
    const [first, second] = await unpaid();
    expect([first, second].map((one) => one?.[1])).toEqual([true, true]);
    const unsaid = { rail: null, provider: null, paidAmount: null } as const;
    for (const status of ["processing", "failed", "pending", "paid"] as const) {
      const record = { ...unsaid, status, reference: "wire 1" };
      expect(await payouts.record(paid, record)).toMatchObject({ ok: true });
      const isPaid = status === "paid";
      expect((await unpaid()).find(([id]) => id === paid)).toEqual([paid, !isPaid]);
    }
    expect((await payouts.find(String(second?.[0])))?.restored).toBe(second?.[0] !== paid);

    expect(audit.broken).toBeNull();
    const lines = await createAuditStore(target).list({ accountId: null, before: null, limit: 10 });
    expect(lines).toMatchObject([{ deed: "restore", by: "restore", atMs: RESTORED_AT }]);
    expect(lines[0]?.detail).toMatch(
      /^as of 2026-01-12T00:00:00\.000Z, \d+ lines of journal, file [0-9a-f]{64}$/,
    );
    await target.close();
  });

  test("a backup of a trading service whose restore was cut off after the data were written has its marks and the line of the audit [D13.restoredPayouts] [D13.restoreAudited]", async () => {
    const target = await openTestDatabase();
    let isCut = false;
    const cut: Database = {
      ...target,
      query: (text, parameters) =>
        isCut ? Promise.reject(new Error("cut off")) : target.query(text, parameters),
      async transaction(work, limits) {
        if (isCut) throw new Error("cut off");
        const value = await target.transaction(work, limits);
        // The restore sets its limits only for the transaction that writes the data.
        isCut = limits?.idleMs === 60_000;
        return value;
      },
    };
    await expect(restored(backup, cut)).rejects.toThrow("cut off");
    const { payouts } = createManualEngine(target, { seed: "cut off", now: RESTORED_AT });
    const found = (await payoutIds(target)).map(async (id) => (await payouts.find(id))?.restored);
    expect(await Promise.all(found)).toEqual([true, true]);
    const lines = await createAuditStore(target).list({ accountId: null, before: null, limit: 10 });
    expect(lines).toMatchObject([{ deed: "restore" }]);
    await target.close();
  });

  test("a backup of a trading service has another incarnation after each restore, which waits for its confirmation [D13.readOnly]", async () => {
    const [one, two] = [await openTestDatabase(), await openTestDatabase()];
    await restored(backup, one);
    const first = createRestoreStore(one);
    expect(await first.mark()).toEqual({
      asOfMs: MONDAY,
      restoredAtMs: RESTORED_AT,
      confirmedAtMs: null,
    });
    await first.confirm(RESTORED_AT);
    await restored(await backedUp(one), two);
    expect(await createRestoreStore(two).mark()).toMatchObject({ confirmedAtMs: null });
    await one.close();
    await two.close();
  });
});

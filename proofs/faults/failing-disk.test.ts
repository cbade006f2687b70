import { fsyncSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { openDatabase } from "../../packages/ledger/src/storage/databases/open-database.ts";
import { openPgliteFolder } from "../../packages/ledger/src/storage/databases/pglite-database.ts";
import { migrate } from "../../packages/ledger/src/storage/migrations/migrate.ts";
import { openHarness } from "../../packages/server/src/testing/harness.ts";
import { createOperatorClient } from "../../packages/server/src/testing/operator-client.ts";
import { makeTemporaryFolder } from "../../packages/server/src/testing/temporary-folder.ts";
import { eventually } from "../../test/eventually.ts";
import {
  inspectAnswers,
  NO_FINDINGS,
  placeSmallBuy,
  readPublicHealth,
  startOrderLoad,
  UNKNOWN_FATE_TEXT,
} from "./order-load.ts";

describe("a disk that rejects writes", () => {
  test("a failing disk gives 5xx and is reported, and the service recovers by itself [S5.R2]", async () => {
    const folder = await makeTemporaryFolder();
    /** The number of syncs that still succeed; null when every sync succeeds. */
    let left: number | null = null;
    const sync = (file: number): void => {
      if (left !== null && left <= 0) throw new Error("EIO");
      if (left !== null) left -= 1;
      fsyncSync(file);
    };
    const database = await openPgliteFolder(folder, { sync, reopenAfterMs: 200 });
    await migrate(database);
    const service = await openHarness({ database });
    const operator = createOperatorClient(service);
    await service.quote("BTCUSD", 50_000, 50_000);
    const before = await placeSmallBuy(service, "before");
    expect(before.status).toBe(200);
    expect(await readPublicHealth(service)).toMatchObject({ status: 200, body: { status: "ok" } });

    // One more sync succeeds: the admission is durable, the order is not.
    left = 1;
    const cut = await placeSmallBuy(service, "cut");
    expect(cut).toMatchObject({ status: 500, text: expect.stringContaining(UNKNOWN_FATE_TEXT) });
    for (const read of [service.get("account"), service.get("positions")]) {
      expect((await read).status).toBe(503);
    }
    expect((await service.order({})).status).toBe(500);
    expect(await readPublicHealth(service)).toMatchObject({
      status: 503,
      body: { status: "degraded", problem: "the database fails" },
    });
    expect(await operator.data("GET", "/health")).toMatchObject({
      storageFault: { reason: expect.stringMatching(/has stopped|does not open/) },
      clockWork: null,
    });

    left = null;
    await eventually(async () => expect((await service.get("account")).status).toBe(200));
    expect(await readPublicHealth(service)).toMatchObject({ status: 200, body: { status: "ok" } });
    expect(await operator.data("GET", "/health")).toMatchObject({ storageFault: null });
    const answers = [before, cut];
    for (const { nonce } of [before, cut])
      expect((await placeSmallBuy(service, nonce)).status).toBe(409);
    answers.push(await placeSmallBuy(service, "after"));
    expect(answers.at(-1)?.status).toBe(200);

    // The disk fails again under load, each time after another number of syncs.
    const load = startOrderLoad(service, "load");
    for (const syncs of [0, 3, 8]) {
      await load.placed(5);
      left = syncs;
      await eventually(() => expect(load.answers.at(-1)?.status).toBe(500));
      left = null;
    }
    await load.placed(5);
    answers.push(...(await load.stop()));
    expect(await inspectAnswers(database, answers)).toEqual(NO_FINDINGS);
    await service.close();

    const again = await openDatabase({ databaseUrl: null, dataDir: folder });
    expect(await inspectAnswers(again, answers)).toEqual(NO_FINDINGS);
    await again.close();
  });
});

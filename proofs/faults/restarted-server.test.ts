import { afterAll, describe, expect, test } from "vitest";
import { openPostgres } from "../../packages/ledger/src/storage/databases/postgres-database.ts";
import { migrate } from "../../packages/ledger/src/storage/migrations/migrate.ts";
import { openHarness } from "../../packages/server/src/testing/harness.ts";
import { createOperatorClient } from "../../packages/server/src/testing/operator-client.ts";
import { eventually } from "../../test/eventually.ts";
import {
  inspectAnswers,
  NO_FINDINGS,
  placeSmallBuy,
  readPublicHealth,
  startOrderLoad,
} from "./order-load.ts";
import { openScratchCluster } from "./scratch-cluster.ts";

const cluster = await openScratchCluster();

describe.skipIf(cluster === null)("a PostgreSQL server that stops and starts again", () => {
  afterAll(() => cluster?.remove());

  test("a restarted database loses no answered order, and the service recovers by itself [S5.R2]", async () => {
    if (cluster === null) return;
    const database = await openPostgres(cluster.url);
    await migrate(database);
    const service = await openHarness({ database });
    const operator = createOperatorClient(service);
    await service.quote("BTCUSD", 50_000, 50_000);
    const load = startOrderLoad(service, "load");
    for (const how of ["immediate", "fast"] as const) {
      await load.placed(10);
      cluster.stop(how);
      await eventually(() => expect(load.answers.at(-1)?.status).toBe(500));
      const read = await service.get("account");
      expect([read.status, read.headers["retry-after"]]).toEqual([503, "1"]);
      expect(await readPublicHealth(service)).toMatchObject({
        status: 503,
        body: { status: "degraded", problem: "the database fails" },
      });
      expect(await operator.data("GET", "/health")).toMatchObject({
        storageFault: { reason: expect.stringMatching(/ECONNREFUSED|terminat|shut/i) },
        clockWork: null,
      });
      cluster.start();
      await load.placed(10);
      expect(await readPublicHealth(service)).toMatchObject({ status: 200 });
    }
    const answers = await load.stop();
    expect(answers.filter(({ status }) => status !== 200 && status !== 500)).toEqual([]);
    expect(await inspectAnswers(database, answers)).toEqual(NO_FINDINGS);
    const answered = answers.filter(({ status }) => status === 200).slice(-20);
    for (const { nonce } of answered)
      expect((await placeSmallBuy(service, nonce)).status).toBe(409);
    await service.close();
  });
});

import { describe, expect, test } from "vitest";
import {
  openScratchPostgres,
  testPostgresUrl,
} from "../../packages/server/src/testing/open-test-database.ts";
import { scaledCount } from "../../test/environment/depth.ts";
import { deliveryProblem } from "./delivery-watch.ts";
import { type KillsResult, runKills } from "./run-kills.ts";

/** The test's number of kills; `npm run prove -- kills --kills 1000` is the long run. */
const KILLS = scaledCount(4);
const postgres = await testPostgresUrl();

test.each([
  [[1, 2, 3], 3, null],
  [[1, 2, 2, 3, 3], 3, null],
  [[1, 3], 3, "3 came after 1"],
  [[1, 2, 1, 2, 3], 3, "1 came after 2"],
  [[1, 2], 3, "2 was the last of 3"],
  [[], 0, null],
])("deliveries %j of %i events are judged %j", (sequences, version, wrong) => {
  expect(deliveryProblem(sequences, version)).toBe(wrong);
});

describe("kill -9 under load loses no answered order and admits no nonce twice [S5.R2 S7.R2]", () => {
  test("kills on the embedded database lose nothing", async () => {
    expectNothingLost(await runKills({ kills: KILLS, databaseUrls: [] }));
  });

  test.skipIf(postgres === null)("kills on PostgreSQL lose nothing", async () => {
    const scratch = await openScratchPostgres(postgres ?? "");
    try {
      expectNothingLost(await runKills({ kills: KILLS, databaseUrls: [scratch.url] }));
    } finally {
      await scratch.close();
    }
  });

  test.skipIf(postgres === null)("kills on two databases of PostgreSQL lose nothing", async () => {
    const scratch = [
      await openScratchPostgres(postgres ?? ""),
      await openScratchPostgres(postgres ?? ""),
    ];
    try {
      const run = await runKills({ kills: KILLS, databaseUrls: scratch.map(({ url }) => url) });
      expectNothingLost(run);
      for (const answered of run.answeredOn) expect(answered).toBeGreaterThan(0);
      expect(run.answeredOn).toHaveLength(2);
    } finally {
      for (const one of scratch) await one.close();
    }
  });
});

function expectNothingLost(run: KillsResult): void {
  expect(run.answeredOrders).toBeGreaterThan(0);
  expect(run.replays).toBeGreaterThan(0);
  expect(run.deliveries).toBeGreaterThan(run.answeredOrders);
  expect(run).toMatchObject({
    kills: KILLS,
    admittedTwice: [],
    lost: [],
    carriedOutTwice: [],
    brokenChains: [],
    differentStates: [],
    wrongDeliveries: [],
  });
}

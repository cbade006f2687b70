import { describe, expect, test } from "vitest";
import {
  openScratchPostgres,
  testPostgresUrl,
} from "../../packages/server/src/testing/open-test-database.ts";
import { type KillRun, runKills } from "./run-kills.ts";

/** The short version; `npm run prove -- kills --kills 1000` is the long one. */
const KILLS = 4;
const postgres = await testPostgresUrl();

describe("kill -9 under load loses no answered order and admits no nonce twice [S5.R2 S7.R2]", () => {
  test("kills on the embedded database lose nothing", async () => {
    expectNothingLost(await runKills({ kills: KILLS, databaseUrl: null }));
  });

  test.skipIf(postgres === null)("kills on PostgreSQL lose nothing", async () => {
    const scratch = await openScratchPostgres(postgres ?? "");
    try {
      expectNothingLost(await runKills({ kills: KILLS, databaseUrl: scratch.url }));
    } finally {
      await scratch.close();
    }
  });
});

function expectNothingLost(run: KillRun): void {
  expect(run.answeredOrders).toBeGreaterThan(0);
  expect(run.replays).toBeGreaterThan(0);
  expect(run).toMatchObject({
    kills: KILLS,
    admittedTwice: [],
    lost: [],
    carriedOutTwice: [],
    brokenChains: [],
    differentStates: [],
  });
}

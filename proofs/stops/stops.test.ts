import { describe, expect, test } from "vitest";
import { testPostgresUrl } from "../../packages/server/src/testing/open-test-database.ts";
import { testNatsUrl } from "../../packages/server/src/testing/test-nats.ts";
import { deepenedCount } from "../../test/environment/depth.ts";
import { runStops, type StopsResult } from "./run-stops.ts";

/** The test's number of losses; `npm run prove -- stops --full` is the long run. */
const LOSSES = deepenedCount(210, 3);
const NODE_LOSSES = deepenedCount(90, 2);
const [postgres, nats] = [await testPostgresUrl(), await testNatsUrl()];

describe("a stop level that an answer has shown never falls [D13.stopNeverFalls]", () => {
  test("no shown stop level falls when the service, with its tape and without, or the sandbox is killed or stopped", async () => {
    const run = await runStops({ losses: LOSSES, serverUrl: null });
    expectKept(run, LOSSES);
    expect(run.installations.toSorted()).toEqual(["sandbox", "service", "service without a tape"]);
  });

  test.skipIf(postgres === null || nats === null)(
    "no shown stop level falls when one of two nodes is killed or stopped and the other takes over",
    async () => {
      expectKept(await runStops({ losses: NODE_LOSSES, serverUrl: postgres }), NODE_LOSSES);
    },
  );
});

function expectKept(run: StopsResult, losses: number): void {
  expect(run.kills + run.orderlyStops).toBe(losses);
  expect(Object.keys(run.readings).toSorted()).toEqual([
    "GET order-history",
    "GET orders",
    "GET orders/{id}",
    "GET positions",
    "pages, state",
    "pages, stream",
  ]);
  expect(run.moves).toBeGreaterThan(0);
  expect(run.wrongLevels).toEqual([]);
  expect(run.wrongFills).toEqual([]);
}

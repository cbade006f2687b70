import { expect, test } from "vitest";
import { SEED, scaledCount } from "../../test/environment/depth.ts";
import { runCuts } from "./run-cuts.ts";

/** The test's number of cut orders; `npm run prove -- cuts --cuts 1000` is the long run. */
const CUTS = scaledCount(60, 24);

test("orders over connections cut at random bytes run at most once, and the client's results agree with the journal [S4.2.notIdempotent]", async () => {
  const run = await runCuts({ cuts: CUTS, seed: String(SEED) });
  expect(run.cutOrders).toBe(CUTS);
  expect(run.fates.accepted).toBeGreaterThan(0);
  expect(run.fates.rejected).toBeGreaterThan(0);
  expect(run.withdrawn).toBeGreaterThan(0);
  expect(run).toMatchObject({
    doubled: [],
    notAccepted: [],
    notRejected: [],
    unknown: [],
    differentPositions: [],
    brokenChains: [],
  });
});

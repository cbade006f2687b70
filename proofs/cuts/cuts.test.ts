import { expect, test } from "vitest";
import { runCuts } from "./run-cuts.ts";

/** The short version; `npm run prove -- cuts --cuts 1000` is the long one. */
const CUTS = 60;

test("orders cut at random bytes: none twice, and what is said of each is so [S4.2.notIdempotent]", async () => {
  const run = await runCuts({ cuts: CUTS, seed: "suite" });
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

import { expect, test } from "vitest";
import { SEED, scaledCount } from "../../test/environment/depth.ts";
import { runFeeds } from "./run-feeds.ts";

/** The test's number of faults; `npm run prove -- feeds --cuts 10000` is the long run. */
const CUTS = scaledCount(300, 100);

test("no stale, crossed, mixed or future quote is accepted under random cuts and faults of venues, and no reached order is missed", async () => {
  const run = await runFeeds({ cuts: CUTS, seed: String(SEED) });
  expect(run.cuts).toBe(CUTS);
  for (const count of [run.failovers, run.returns, run.filledOrders]) {
    expect(count).toBeGreaterThan(CUTS / 30);
  }
  expect(run).toMatchObject({ broken: [], ordersBroken: [] });
});

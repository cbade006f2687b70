import { expect, test } from "vitest";
import { runFeeds } from "./run-feeds.ts";

/** The short version; `npm run prove -- feeds --cuts 10000` is the long one. */
const CUTS = 300;

test("under random cuts and faults of venues no stale, crossed, mixed or future quote is accepted, and no reached order is missed", async () => {
  const run = await runFeeds({ cuts: CUTS, seed: "suite" });
  expect(run.cuts).toBe(CUTS);
  expect(run.failovers).toBeGreaterThan(10);
  expect(run.returns).toBeGreaterThan(10);
  expect(run.filledOrders).toBeGreaterThan(10);
  expect(run).toMatchObject({ broken: [], ordersBroken: [] });
});

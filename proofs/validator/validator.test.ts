import { expect, test } from "vitest";
import { SEED, scaledCount } from "../../test/environment/depth.ts";
import { runValidator } from "./run-validator.ts";

/** The plan of the test; `npm run prove -- validator --orders 1000 --kills 3` is the long run. */
const PLAN = {
  orders: scaledCount(100, 40),
  kills: 1,
  seed: String(SEED),
  nodes: 1,
  databaseUrl: null,
};

test("orders of linked accounts whose exchanges fail happen at most once, every receipt ends as the validator says, however late, and none by a clock [S4.2.notIdempotent D9.receipts D13.lastWord]", async () => {
  const run = await runValidator(PLAN);
  expect(run.orders - run.notSent).toBe(PLAN.orders);
  expect(run.faultKinds).toBeGreaterThan(12);
  expect(run.unanswered).toBeGreaterThan(0);
  expect(run.fates.accepted).toBeGreaterThan(0);
  expect(run.fates.rejected).toBeGreaterThan(0);
  expect(run).toMatchObject({
    doubled: [],
    sentTwice: [],
    undecided: [],
    contradicted: [],
    notAccepted: [],
    notRejected: [],
    wrongClaims: [],
    wrongRecords: [],
    cancelledLegs: [],
    addedLegs: [],
    differentReads: [],
    wrongEvents: [],
  });
});

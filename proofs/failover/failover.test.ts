import { expect, test } from "vitest";
import { SEED, scaled } from "../../test/environment/depth.ts";
import { findPrograms } from "./needed-programs.ts";
import { runFailover } from "./run-failover.ts";

const programs = findPrograms();
if ("missing" in programs) console.warn(`SKIPPED: ${programs.missing}, so no test fails over`);

/** The short version; `npm run prove -- failover --full` is the long one. */
const PLAN = {
  times: scaled(1),
  only: null,
  traders: 3,
  stopMs: 2_000,
  holdMs: 1_000,
  settleMs: 2_000,
  seed: String(SEED),
};

test.skipIf("missing" in programs)(
  "databases, nodes, NATS and connections fail under load, and every answer stays true [S5.R2 S7.R2 D9.receipts]",
  async () => {
    if ("missing" in programs) return;
    const run = await runFailover({ ...PLAN, programs, report: () => undefined });
    expect(run.answered).toBeGreaterThan(0);
    expect(run.unanswered).toBeGreaterThan(0);
    expect(run).toMatchObject({
      lost: [],
      differentFigures: [],
      doubled: [],
      notRejected: [],
      wrongReceipts: [],
      wrongFates: [],
      wrongStatuses: [],
      brokenChains: [],
      differentStates: [],
      rejudgedDifferently: [],
      unownedPartitions: [],
      olderQuotes: [],
      notRecovered: [],
    });
  },
);

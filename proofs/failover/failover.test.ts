import { expect, test } from "vitest";
import { DEPTH, SEED, scaledCount } from "../../test/environment/depth.ts";
import { TEST_MAX_MS } from "../../test/environment/test-max-ms.ts";
import { findNeededPrograms } from "./needed-programs.ts";
import { runFailover } from "./run-failover.ts";

const programs = findNeededPrograms();
if ("missing" in programs) console.warn(`SKIPPED: ${programs.missing}, so no test fails over`);

/**
 * Failures that `npm run check` leaves out. Each has the test, or the other kind of failure, that covers the same
 * promise there.
 */
const LEFT_OUT_OF_CHECK = new Map([
  ["primary killed", "the kind in which the address is switched early, which is the harder one"],
  ["node killed", "proofs/nodes/forwarding.test.ts, partitions.test.ts"],
  ["feed killed", "proofs/nodes/feed.test.ts"],
  ["node stopped and continued", "proofs/nodes/stopped-node.test.ts, partitions.test.ts"],
  ["a node's connections to the database cut", "proofs/faults/cut-connections.test.ts"],
  ["one NATS server killed", "the kind in which two are killed"],
]);

/** The plan of the test; `npm run prove -- failover --full` is the long run. */
const PLAN = {
  times: scaledCount(1),
  includes: (name: string) => DEPTH >= 1 || !LEFT_OUT_OF_CHECK.has(name),
  traders: 3,
  stopMs: 2_000,
  holdMs: 1_000,
  settleMs: 2_000,
  // The proof measures the time to recover. In this test the machine may be busy with other tests.
  recoverMaxMs: TEST_MAX_MS,
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

import { expect, test } from "vitest";
import { testPostgresUrl } from "../../packages/server/src/testing/open-test-database.ts";
import { testNatsUrl } from "../../packages/server/src/testing/test-nats.ts";
import { deepenedCount } from "../../test/environment/depth.ts";
import { COUNTED_WRITES } from "./keyed-writes.ts";
import { runRepeats } from "./run-repeats.ts";

/** The test's number of writes; `npm run prove -- repeats --full` is the long run. */
const WRITES = deepenedCount(1_000, COUNTED_WRITES.length);
const KILLS = deepenedCount(50, 1);
const [postgres, nats] = [await testPostgresUrl(), await testNatsUrl()];

test.skipIf(postgres === null || nats === null)(
  "each write that is repeated at two nodes has one effect, also when a node is killed [D12.repeatedWrites]",
  async () => {
    const run = await runRepeats({ serverUrl: postgres ?? "", writes: WRITES, kills: KILLS });
    expect(run).toMatchObject({
      kills: KILLS,
      wrongEffects: [],
      differentAnswers: [],
      refused: [],
    });
    expect(run.wrongJournals).toEqual([]);
    expect(Object.keys(run.writesOf)).toHaveLength(COUNTED_WRITES.length);
    expect(run.replayed).toBeGreaterThan(WRITES);
  },
);

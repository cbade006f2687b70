import { expect, test } from "vitest";
import { testPostgresUrl } from "../../packages/server/src/testing/open-test-database.ts";
import { testNatsUrl } from "../../packages/server/src/testing/test-nats.ts";
import { deepenedCount } from "../../test/environment/depth.ts";
import { runStreams } from "./run-streams.ts";
import { READER_KINDS } from "./stream-reader.ts";

/** The test's number of cuts; `npm run prove -- streams --full` is the long run. */
const CUTS = deepenedCount(1_000, 50);
const KILLS = deepenedCount(5, 1);
const [postgres, nats] = [await testPostgresUrl(), await testNatsUrl()];

test.skipIf(postgres === null || nats === null)(
  "every reader has the events of GET events, however often its connection is cut and its node killed [D9.stream] [D9.consumer]",
  async () => {
    const run = await runStreams({ serverUrl: postgres ?? "", cuts: CUTS, kills: KILLS });
    expect(run).toMatchObject({ kills: KILLS, different: [], failed: [] });
    expect(run.cuts).toBeGreaterThanOrEqual(CUTS);
    for (const kind of READER_KINDS) expect([kind, run.eventsOf[kind] ?? 0]).not.toContain(0);
  },
);

import { unixMs } from "@propgate/core";
import { expect, test } from "vitest";
import { countingNetwork, TEST_NOON } from "../testing/counting-network.ts";
import { describeOnEachDatabase } from "../testing/each-database.ts";
import { createDueWork } from "./due-work.ts";

const HOUR_MS = 3_600_000;
/** 2026-01-06, 00:00 UTC. */
const MIDNIGHT = unixMs(1_767_657_600_000);

await describeOnEachDatabase("what time brings about", (database) => {
  test("falls due at the next 00:00 UTC, once, however often it is looked for", async () => {
    const network = countingNetwork(database());
    const due = createDueWork({
      database: database(),
      executor: network.executor,
      clock: { now: () => network.now },
    });
    const ids = [await network.open(), await network.open()];
    const versions = () => ids.map((id) => network.cache.get(id)?.version);

    expect(due.nextDueMs(TEST_NOON)).toBe(MIDNIGHT);
    expect(due.nextDueMs(MIDNIGHT)).toBe(MIDNIGHT + 24 * HOUR_MS);

    network.now = unixMs(MIDNIGHT - 1);
    await due.runDue();
    expect(versions()).toEqual([1, 1]);

    network.now = MIDNIGHT;
    await due.runDue();
    await due.runDue();
    expect(versions()).toEqual([2, 2]);
    const rows = await database().query("select distinct due_at_ms from accounts", []);
    expect(rows).toEqual([{ due_at_ms: String(MIDNIGHT + 24 * HOUR_MS) }]);
  });
});

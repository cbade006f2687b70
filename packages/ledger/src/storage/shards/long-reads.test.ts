import { describe, expect, test } from "vitest";
import {
  openScratchPostgres,
  testPostgresUrl,
} from "../../../../server/src/testing/open-test-database.ts";
import { createShards } from "./shards.ts";

const url = await testPostgresUrl();
const LOCK = "select pg_advisory_xact_lock(71)";
/** More reads than the database has connections. */
const READS = 20;

describe.skipIf(url === null)("long reads", () => {
  test("long reads leave connections to all other statements, however many of them wait [D13.expensiveReads] [D13.readConnections]", async () => {
    const scratch = await openScratchPostgres(url ?? "");
    const { first, longReads } = createShards([scratch]);
    let reads: Promise<unknown> = Promise.resolve();
    await first.transaction(
      async (holder) => {
        await holder.query(LOCK);
        const locked =
          "set lock_timeout = 0; select pg_advisory_lock(71); select pg_advisory_unlock(71)";
        reads = Promise.all(Array.from({ length: READS }, () => longReads.all[0].query(locked)));
        for (let at = 0; at < READS; at += 1) {
          expect(await first.query("select 1 as one", [])).toEqual([{ one: 1 }]);
        }
        expect(first.connections().inUse).toBeLessThanOrEqual(4);
      },
      { idleMs: 0 },
    );
    await reads;
    await scratch.close();
  });
});

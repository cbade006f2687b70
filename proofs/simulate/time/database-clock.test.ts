import { expect, test } from "vitest";
import { createLeaseStore } from "../../../packages/ledger/src/storage/leases/lease-store.ts";
import { openTestDatabase } from "../../../packages/server/src/testing/open-test-database.ts";
import { withRunClock } from "./database-clock.ts";

const ONE = "00000000-0000-4000-8000-000000000001";
const OTHER = "00000000-0000-4000-8000-000000000002";

test("a lease in the simulation ends by the run's clock, to the millisecond", async () => {
  let nowMs = 1_700_000_000_000;
  await using stack = new AsyncDisposableStack();
  const real = stack.adopt(await openTestDatabase(), (one) => one.close());
  const database = await withRunClock(real, () => nowMs);
  const leases = createLeaseStore(database);
  const claim = async (owner: string) =>
    (await leases.claim(["feed"], { owner, forMs: 6_000, above: 0 })).map(({ epoch }) => epoch);
  expect(await claim(ONE)).toEqual([1]);
  nowMs += 6_000;
  expect(await claim(OTHER)).toEqual([]);
  nowMs += 1;
  expect(await claim(OTHER)).toEqual([2]);
  const inside = await database.transaction((on) =>
    on.query("select extract(epoch from clock_timestamp())::float8 * 1000 as ms", []),
  );
  expect(inside).toEqual([{ ms: nowMs }]);
});

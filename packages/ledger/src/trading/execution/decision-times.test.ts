import { type AccountId, type UnixMs, unixMs } from "@propgate/core";
import { expect, test } from "vitest";
import {
  createCountingNetwork,
  keyedCountSubmission,
  storeNonce,
  TEST_NOON,
} from "../../../../server/src/testing/counting-network.ts";
import { describeOnEachDatabase } from "../../../../server/src/testing/each-database.ts";
import { UnknownFate } from "../network/unknown-fate.ts";
import { createDecisionTimes, LineOfFuture } from "./decision-times.ts";

const before = (byMs: number): UnixMs => unixMs(TEST_NOON - byMs);

await describeOnEachDatabase("a journal whose clock goes back [D12.lineTime]", (database) => {
  const linesOf = async (id: AccountId): Promise<readonly number[]> => {
    const rows = await database().query<{ readonly at_ms: string }>(
      "select at_ms from journal where account_id = $1 order by seq",
      [id],
    );
    return rows.map(({ at_ms: atMs }) => Number(atMs) - TEST_NOON);
  };

  test("a journal whose clock goes back has no older line: up to 2 s are lent, beyond them nothing is decided until time has passed [D12.decisionTime]", async () => {
    const times = createDecisionTimes();
    const network = createCountingNetwork(database(), { times });
    const id = await network.open();
    network.now = before(2_000);
    expect(await network.count(id)).toMatchObject({ ok: true });
    network.now = before(2_001);
    await expect(network.count(id)).rejects.toThrow(LineOfFuture);
    expect(times.futureLines(network.now)).toEqual({ accounts: 1, untilMs: TEST_NOON });
    expect(await linesOf(id)).toEqual([0, 0]);
    network.now = unixMs(TEST_NOON + 7);
    expect(times.futureLines(network.now)).toBeNull();
    expect(await network.count(id)).toMatchObject({ ok: true });
    expect(await linesOf(id)).toEqual([0, 0, 7]);
  });

  test("an order whose clock goes back while it is under way took no time, and not less [D10.processingTime]", async () => {
    const network = createCountingNetwork(database());
    network.now = before(1_000);
    const id = await network.open();
    await storeNonce(database(), "slow");
    network.now = before(500);
    const done = await network.executor.submit(keyedCountSubmission(id, "slow"));
    expect(done).toMatchObject({ ok: true, receipt: { processingMs: 0 } });
  });

  test("an order that is decided at the time of a line ahead of the clock took the clock's time, not the distance to the line [D10.processingTime]", async () => {
    const network = createCountingNetwork(database());
    const id = await network.open();
    await storeNonce(database(), "behind");
    network.now = before(1_500);
    const submission = keyedCountSubmission(id, "behind");
    const done = await network.executor.submit({ ...submission, receivedAtMs: before(1_504) });
    expect(done).toMatchObject({ ok: true, receipt: { processingMs: 4 } });
    expect(await linesOf(id)).toEqual([0, 0]);
  });

  test("a journal whose clock goes back takes no older line from a decision that did not know the newest one", async () => {
    const network = createCountingNetwork(database());
    const id = await network.open();
    await database().query("update accounts set last_at_ms = $2 where account_id = $1", [
      id,
      TEST_NOON + 1,
    ]);
    await expect(network.count(id)).rejects.toThrow(UnknownFate);
    expect(await linesOf(id)).toEqual([0]);
  });
});

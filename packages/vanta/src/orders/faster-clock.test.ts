import { unixMs } from "@propgate/core";
import { openStandIn } from "@propgate/stand-in";
import { expect, onTestFinished, test } from "vitest";
import { until } from "../../../../test/eventually.ts";
import { createLinkedAccountStore } from "../../../ledger/src/storage/stores/network/linked-account-store.ts";
import { TEST_NOON } from "../../../server/src/testing/counting-network.ts";
import { describeOnEachDatabase } from "../../../server/src/testing/each-database.ts";
import { createManualTime } from "../../../server/src/testing/manual-time.ts";
import { linkBenchAccount, openOrderBench } from "../../../server/src/testing/order-bench.ts";

const MARKET = {
  execution_type: "MARKET",
  trade_pair: "BTCUSDC",
  order_type: "LONG",
  value: 5_000,
};

await describeOnEachDatabase("a node whose clock is ahead", (database) => {
  test("a node whose clock is ahead cannot make a FLAT_ALL look undone by a reading from before its close", async () => {
    const time = createManualTime(TEST_NOON);
    const standIn = await openStandIn({ seed: 16, clock: time.clock });
    const bench = openOrderBench({ database: database(), standIn, time });
    onTestFinished(async () => {
      await bench.close();
      await standIn.close();
    });
    await standIn.control.setPrices({ BTCUSDC: { bid: 49_990, ask: 50_000 } });
    const mine = await linkBenchAccount({ database: database(), standIn });
    expect((await bench.place(mine, MARKET)).answer.ok).toBe(true);

    await standIn.control.addFault({
      call: "submit",
      fault: { kind: "held", when: "before" },
      executionType: "FLAT_ALL",
    });
    const flattening = bench.place(mine, { execution_type: "FLAT_ALL" });
    await until(async () => (await standIn.control.faults()).length === 1);
    // The other node reads while the position is still open.
    const store = createLinkedAccountStore(database());
    const account = await store.takeLease(mine.id, "other node", 600_000);
    if (account?.readings === null || account === null) throw new Error("no reading before");
    const stored = await store.storeReading({
      accountId: mine.id,
      holder: "other node",
      readings: account.readings,
      pairs: account.pairs,
      readAtMs: unixMs(time.clock.now() + 5_000),
      behindSinceMs: account.behindSinceMs,
      status: account.status,
      records: [],
      lines: null,
    });
    expect(stored).toBe(true);

    await standIn.control.release();
    expect(await flattening).toMatchObject({ answer: { ok: true } });
  });
});

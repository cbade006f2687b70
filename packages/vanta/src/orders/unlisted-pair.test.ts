import { openStandIn } from "@propgate/stand-in";
import { expect, onTestFinished, test } from "vitest";
import { TEST_NOON } from "../../../server/src/testing/counting-network.ts";
import { describeOnEachDatabase } from "../../../server/src/testing/each-database.ts";
import { createManualTime } from "../../../server/src/testing/manual-time.ts";
import { linkBenchAccount, openOrderBench } from "../../../server/src/testing/order-bench.ts";

await describeOnEachDatabase("an order about a pair that the network does not have", (database) => {
  test("an order about a pair that the network does not have is refused and not sent, so that no success hides what stays open [D10.refusalCodes]", async () => {
    const time = createManualTime(TEST_NOON);
    const standIn = await openStandIn({ seed: 16, clock: time.clock });
    const bench = openOrderBench({ database: database(), standIn, time });
    onTestFinished(async () => {
      await bench.close();
      await standIn.close();
    });
    await standIn.control.setPrices({ EURUSD: { bid: 1.1, ask: 1.1002 } });
    const mine = await linkBenchAccount({ database: database(), standIn });
    const short = { execution_type: "MARKET", trade_pair: "EURUSD", order_type: "SHORT" };
    const opened = await bench.place(mine, { ...short, value: 20_000 });
    expect(opened.answer.ok).toBe(true);

    for (const trade of [
      { execution_type: "FLAT_ALL" },
      { execution_type: "LIMIT_CANCEL", order_uuid: "ALL" },
    ]) {
      const { answer } = await bench.place(mine, { ...trade, trade_pair: "EURSUD" });
      expect(answer).toMatchObject({
        ok: false,
        rejection: { refusalCode: "unknownPair", text: "'trade_pair' EURSUD is not a known pair" },
      });
    }
    expect(await standIn.control.submissions()).toHaveLength(1);
  });
});

import { expect, test } from "vitest";
import { describeOnEachDatabase } from "../../../testing/each-database.ts";
import { createManualEngine } from "../../../testing/manual-engine.ts";
import { BTCUSD } from "../../../testing/small-market.ts";

await describeOnEachDatabase("the index of accounts", (database) => {
  test("the index of a process follows the commits of another one, and their times [D9.accountIndex]", async () => {
    const [one, other] = [
      createManualEngine(database(), { seed: "one" }),
      createManualEngine(database()),
    ];
    const account = await one.open();
    expect(await other.index.read()).toMatchObject([
      {
        version: 1,
        state: { accountId: account },
        activity: { lastOrderAtMs: null, lastActivityAtMs: one.now, endedAtMs: null },
      },
    ]);
    await one.quote(BTCUSD, 50_000);
    await one.buy(account, BTCUSD, 0.1);
    await one.accounts.eliminate(account, "by hand");
    expect(await other.index.read()).toMatchObject([
      {
        version: one.version(account),
        state: { status: "eliminated", positions: [] },
        activity: { lastOrderAtMs: one.now, lastActivityAtMs: one.now, endedAtMs: one.now },
      },
    ]);
  });
});

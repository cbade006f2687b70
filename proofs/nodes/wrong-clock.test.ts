import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { testPostgresUrl } from "../../packages/server/src/testing/open-test-database.ts";
import { testNatsUrl } from "../../packages/server/src/testing/test-nats.ts";
import { scaled } from "../../test/environment/depth.ts";
import { eventually } from "../../test/eventually.ts";
import type { Trader } from "../kills/kill-harness.ts";
import { openTwoNodes, order, POSITIONS, type TwoNodes } from "./two-nodes.ts";

/** The second node's clock is wrong from its start, as `libfaketime` would make it; its steady clock is not. */
const [postgres, nats] = [await testPostgresUrl(), await testNatsUrl()];
const HOUR_MS = 3_600_000;
/** The simulation has all of them, in the time of its own; here they are those of processes. */
const CLOCKS = (
  [
    ["three hours ahead", 3 * HOUR_MS],
    ["eight seconds behind", -8_000],
    ["61 days ahead", 61 * 24 * HOUR_MS],
    ["three hours behind", -3 * HOUR_MS],
    ["eight seconds ahead", 8_000],
  ] as const
).slice(0, scaled(5, 1));
const BUY = order({
  execution_type: "MARKET",
  trade_pair: "BTCUSD",
  order_type: "LONG",
  value: 1_000,
});

/** Settings of a process whose wall clock is ahead by `aheadMs`. */
function withClock(aheadMs: number): Readonly<Record<string, string>> {
  const shifted = `const now = Date.now; Date.now = () => now() + ${aheadMs};`;
  const preload = `--import=data:text/javascript,${encodeURIComponent(shifted)}`;
  return { NODE_OPTIONS: [process.env.NODE_OPTIONS, preload].filter(Boolean).join(" ") };
}

describe.skipIf(postgres === null || nats === null)(
  "a node whose clock is wrong [D12.oneClock]",
  () => {
    let two: TwoNodes;
    let traders: readonly Trader[];

    beforeAll(async () => {
      two = await openTwoNodes(postgres ?? "");
      // A partition may still move from the node that started first.
      traders = await Promise.all(
        Array.from({ length: 12 }, (_, index) => eventually(() => two.newTrader(index))),
      );
      for (const trader of traders) {
        await eventually(async () => {
          expect((await two.send(0, trader, BUY)).status).toBe(200);
        });
      }
    });
    afterAll(() => two?.close());

    const linesOfTheFuture = async (): Promise<unknown> =>
      two.database.query(
        "select account_id, at_ms from journal where at_ms > (extract(epoch from clock_timestamp()) * 1000)::bigint + 2500",
        [],
      );
    const ready = async (number: number): Promise<number> =>
      (await fetch(`${two.nodes[number]?.baseUrl}/ready`)).status;

    test.each(CLOCKS)(
      "a node %s is not ready, decides nothing, and moves no account",
      async (_, aheadMs) => {
        await two.restart(1, withClock(aheadMs));
        expect(await ready(1)).toBe(503);
        for (const trader of traders) {
          // The other node takes over what this one had before its end.
          await eventually(async () => {
            expect((await two.send(0, trader, BUY)).status).toBe(200);
          });
        }
        const refused = await two.send(1, traders[0] as Trader, BUY);
        expect([refused.status, refused.headers.get("retry-after")]).toEqual([500, "1"]);
        expect(await linesOfTheFuture()).toEqual([]);
        const types = await two.database.query<{ readonly event: string }>(
          'select journal_text(event) as event from journal where journal_text(event) ~ \'"type":"(dayEnded|eliminated)\'',
          [],
        );
        expect(types).toEqual([]);
        expect(two.nodes[1]?.output).toMatch(/"msg":"the clock of this node is .* the database's/);
      },
    );

    test("a node whose clock is wrong is a node like the others once its clock is right", async () => {
      await two.restart(1, withClock(1_000));
      await eventually(async () => {
        expect(await ready(1)).toBe(200);
        const [row] = await two.database.query<{ readonly owners: number }>(
          "select count(distinct owner)::int as owners from leases where lease_until > clock_timestamp() and name like 'partition%'",
          [],
        );
        expect(row?.owners).toBe(2);
      });
      for (const trader of traders) {
        expect((await two.send(1, trader, { target: POSITIONS })).status).toBe(200);
      }
    });
  },
);

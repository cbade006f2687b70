import { rename, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { testPostgresUrl } from "../../packages/server/src/testing/open-test-database.ts";
import { testNatsUrl } from "../../packages/server/src/testing/test-nats.ts";
import { scaledCount } from "../../test/environment/depth.ts";
import { eventually, until } from "../../test/eventually.ts";
import type { Trader } from "../kills/kill-under-load.ts";
import {
  type NodeGroup,
  type NodeRequest,
  openNodeGroup,
  orderRequest,
  POSITIONS_PATH,
} from "./node-group.ts";

/**
 * The servers of these tests; null when one is missing. The tests run a node whose wall clock is wrong, as
 * `libfaketime` would make it. Its steady clock is right.
 */
const [postgres, nats] = [await testPostgresUrl(), await testNatsUrl()];
const HOUR_MS = 3_600_000;
/**
 * The wrong clocks of a node at its start; a short run tries only the first. The simulation tries all of them in
 * simulated time.
 */
const CLOCKS = (
  [
    ["three hours ahead", 3 * HOUR_MS],
    ["eight seconds behind", -8_000],
    ["61 days ahead", 61 * 24 * HOUR_MS],
    ["three hours behind", -3 * HOUR_MS],
    ["eight seconds ahead", 8_000],
  ] as const
).slice(0, scaledCount(5, 1));
/**
 * For each step of the test, the milliseconds by which the wall clock of each node is ahead; negative when it is
 * behind. A short run takes the first two steps only.
 */
const JUMPS = (
  [
    [0, HOUR_MS],
    [HOUR_MS, -HOUR_MS],
    [0, 0],
    [-HOUR_MS, 0],
    [0, 0],
    [0, -HOUR_MS],
  ] as const
).slice(0, scaledCount(6, 2));
const ROUNDS = scaledCount(12, 2);
const buy = (value: number): NodeRequest =>
  orderRequest({ execution_type: "MARKET", trade_pair: "BTCUSD", order_type: "LONG", value });
const BUY = buy(1_000);
/** An order so small that the caps of an account allow thousands of them. */
const SMALL = buy(10);

/** The file in a process's data folder with the milliseconds by which its wall clock is ahead. */
const AHEAD_FILE = "clock-ahead";
const FOLLOWS_FILE = `--import=data:text/javascript,${encodeURIComponent(`
  import { readFileSync } from "node:fs";
  const file = process.env.PROPGATE_DATA_DIR + "/${AHEAD_FILE}";
  const now = Date.now;
  let aheadMs = 0;
  const read = () => {
    try { aheadMs = Number(readFileSync(file, "utf8")); } catch { aheadMs = 0; }
  };
  read();
  setInterval(read, 20).unref();
  Date.now = () => now() + aheadMs;
`)}`;
const NODE_OPTIONS = [process.env.NODE_OPTIONS, FOLLOWS_FILE].filter(Boolean).join(" ");

describe.skipIf(postgres === null || nats === null)(
  "a node whose clock is wrong [D12.oneClock]",
  () => {
    let two: NodeGroup;
    let traders: readonly Trader[];

    beforeAll(async () => {
      two = await openNodeGroup(postgres ?? "", { settings: { NODE_OPTIONS } });
      // A partition may still change from the node that started first to the other one.
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

    /**
     * Sets how far the wall clock of a node is ahead. A running node adopts it within 20 ms, a stopped node at its next
     * start.
     */
    const setAhead = async (number: number, aheadMs: number): Promise<void> => {
      const file = join(two.nodes[number]?.dataDir ?? "", AHEAD_FILE);
      await writeFile(`${file}.new`, String(aheadMs));
      await rename(`${file}.new`, file);
    };
    const linesOfTheFuture = async (): Promise<unknown> =>
      two.database.query(
        "select account_id, at_ms from journal where at_ms > (extract(epoch from clock_timestamp()) * 1000)::bigint + 2500",
        [],
      );
    const endsOfAccounts = async (): Promise<unknown> =>
      two.database.query(
        'select journal_text(event) as event from journal where journal_text(event) ~ \'"type":"(dayEnded|eliminated)\'',
        [],
      );
    const ready = async (number: number): Promise<number> =>
      (await fetch(`${two.nodes[number]?.baseUrl}/ready`)).status;

    test.each(CLOCKS)(
      "a node %s is not ready, decides nothing, and moves no account",
      async (_, aheadMs) => {
        await setAhead(1, aheadMs);
        await two.restart(1, {});
        expect(await ready(1)).toBe(503);
        for (const trader of traders) {
          // The other node takes over the accounts that this node owned before its restart.
          await eventually(async () => {
            expect((await two.send(0, trader, BUY)).status).toBe(200);
          });
        }
        const refused = await two.send(1, traders[0] as Trader, BUY);
        expect([refused.status, refused.headers.get("retry-after")]).toEqual([500, "1"]);
        expect(await linesOfTheFuture()).toEqual([]);
        expect(await endsOfAccounts()).toEqual([]);
        expect(two.nodes[1]?.output).toMatch(/"msg":"the clock of this node is .* the database's/);
      },
    );

    test("clocks that jump under load move no account, and no order waits for them afterwards", async () => {
      const statuses = new Set<number>();
      let isOver = false;
      let answers = 0;
      const trade = async (trader: Trader, index: number): Promise<void> => {
        for (let turn = index; !isOver; turn += 1) {
          const { status } = await two.send(turn, trader, SMALL);
          statuses.add(status);
          answers += 1;
        }
      };
      const load = Promise.all(traders.map(trade));
      for (const row of JUMPS) {
        for (const [number, aheadMs] of row.entries()) await setAhead(number, aheadMs);
        for (const [number, aheadMs] of row.entries()) {
          await eventually(async () => expect(await ready(number)).toBe(aheadMs === 0 ? 200 : 503));
        }
        const enough = answers + ROUNDS * traders.length;
        await until(() => answers >= enough);
      }
      await setAhead(0, 0);
      await setAhead(1, 0);
      for (const [index, trader] of traders.entries()) {
        await eventually(async () => {
          expect((await two.send(index, trader, BUY)).status).toBe(200);
        });
      }
      isOver = true;
      await load;
      expect(statuses).toEqual(new Set([200, 500]));
      expect(await linesOfTheFuture()).toEqual([]);
      expect(await endsOfAccounts()).toEqual([]);
      const older = await two.database.query(
        `select account_id from (
           select account_id, at_ms, lag(at_ms) over (partition by account_id order by seq) as before_ms from journal
         ) as lines where at_ms < before_ms`,
        [],
      );
      expect(older).toEqual([]);
    });

    test("a node whose clock is wrong is a node like the others once its clock is right", async () => {
      await setAhead(1, 1_000);
      await eventually(async () => {
        expect(await ready(1)).toBe(200);
        const [row] = await two.database.query<{ readonly owners: number }>(
          "select count(distinct owner)::int as owners from leases where lease_until > clock_timestamp() and name like 'partition%'",
          [],
        );
        expect(row?.owners).toBe(2);
      });
      for (const trader of traders) {
        expect((await two.send(1, trader, { target: POSITIONS_PATH })).status).toBe(200);
      }
    });
  },
);

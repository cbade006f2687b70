import { setTimeout } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { PARTITIONS } from "../../packages/ledger/src/storage/rows/partition.ts";
import { testPostgresUrl } from "../../packages/server/src/testing/open-test-database.ts";
import { testNatsUrl } from "../../packages/server/src/testing/test-nats.ts";
import { scaledCount } from "../../test/environment/depth.ts";
import { freePort } from "../../test/environment/free-port.ts";
import { eventually, until } from "../../test/eventually.ts";
import type { Trader } from "../kills/kill-under-load.ts";
import { type NodeGroup, openNodeGroup, orderRequest } from "./node-group.ts";

/**
 * The servers of these tests; null when one is missing. The tests run three processes. Every account has a limit order
 * at each level. The test pushes the price below one level after the other. The fills at a level show which accounts
 * the nodes watch.
 */
const [postgres, nats] = [await testPostgresUrl(), await testNatsUrl()];

const ACCOUNTS = scaledCount(150, 45);
const CONCURRENT = 6;
const START = 100_000;
/**
 * The prices of the limit orders. They are far enough apart for the price to stay between two of them, and so near that
 * a fall to the next one is not an outlier.
 */
const LEVELS = [99_700, 99_400, 99_100, 98_800] as const;
const BELOW = 50;
const PUSH_EVERY_MS = 250;
const PAUSE_MS = 10_000;
const TOKEN = "token-of-the-partitions-proof";

const OWNERS = `select owner, count(*)::int as partitions from leases
  where name like 'partition %' and lease_until > clock_timestamp() group by owner order by owner`;
const FILLS = `select account_id as account, count(*)::int as fills from journal
  where journal_text(event) like '%"orderFilled"%' group by account_id order by account_id`;

interface Share {
  readonly owner: string;
  readonly partitions: number;
}

describe.skipIf(postgres === null || nats === null)("processes that own partitions", () => {
  let nodes: NodeGroup;
  let pushUrl: string;
  let bid = START;
  let isPushing = true;
  let pushing: Promise<void>;
  const traders: Trader[] = [];
  /** The number of levels below which the price has fallen. */
  let fallen = 0;

  const push = async (): Promise<void> => {
    while (isPushing) {
      await fetch(`${pushUrl}/prices/v1/quotes`, {
        method: "POST",
        headers: { authorization: `Bearer ${TOKEN}`, "content-type": "application/x-ndjson" },
        body: JSON.stringify({ tradePair: "BTCUSD", bid, ask: bid + 1 }),
      }).catch(() => undefined);
      await setTimeout(PUSH_EVERY_MS);
    }
  };
  const secondsUntil = async (found: () => Promise<boolean>): Promise<number> => {
    const startedMs = performance.now();
    await until(found);
    return (performance.now() - startedMs) / 1_000;
  };
  const shares = (): Promise<readonly Share[]> => nodes.database.query<Share>(OWNERS, []);
  /** True when this many nodes own all partitions, and each owns more than half of an equal share. */
  const isSharedBy = (count: number) => async (): Promise<boolean> => {
    const found = await shares();
    const owned = found.reduce((sum, { partitions }) => sum + partitions, 0);
    const min = PARTITIONS / count / 2;
    const isFair = found.every(({ partitions }) => partitions > min);
    return found.length === count && owned === PARTITIONS && isFair;
  };
  const fills = async (): Promise<readonly number[]> => {
    const rows = await nodes.database.query<{ fills: number }>(FILLS, []);
    return rows.map((row) => row.fills);
  };
  /**
   * Lets the price fall below the next level. Resolves when every account has filled its order at that level; the
   * result is the number of seconds that this took.
   */
  const fall = async (): Promise<number> => {
    fallen += 1;
    bid = (LEVELS[fallen - 1] ?? START) - BELOW;
    return secondsUntil(async () => {
      const found = await fills();
      return found.length === ACCOUNTS && found.every((count) => count >= fallen);
    });
  };
  const expectOneFillEach = async (): Promise<void> => {
    expect(await fills()).toEqual(traders.map(() => fallen));
  };
  /** Starts the nodes that are gone, and waits until all three nodes have their shares. */
  const allPresent = async (): Promise<void> => {
    const gone = ([1, 2] as const).filter((node) => nodes.nodes[node]?.isGone);
    await Promise.all(gone.map((node) => nodes.restart(node, {})));
    await until(isSharedBy(3));
  };
  const report = (what: string, seconds: number): void => {
    process.stderr.write(`\n${what}: ${seconds.toFixed(1)} s\n`);
  };
  /** Creates a trader at the first node. Tries again while another node takes over the account's partition. */
  const newTrader = (): Promise<Trader> => eventually(() => nodes.newTrader(0));
  const openAccount = async (): Promise<void> => {
    const trader = await newTrader();
    traders.push(trader);
    for (const level of LEVELS) {
      const limit = orderRequest({
        execution_type: "LIMIT",
        trade_pair: "BTCUSD",
        order_type: "LONG",
        value: 100,
        limit_price: level,
      });
      expect(await nodes.send(0, trader, limit)).toMatchObject({ status: 200 });
    }
  };

  beforeAll(async () => {
    const port = await freePort();
    pushUrl = `http://127.0.0.1:${port}`;
    nodes = await openNodeGroup(postgres ?? "", {
      nodes: 3,
      settings: {
        PROPGATE_PRICES: "push",
        PROPGATE_PUSH_TOKEN: TOKEN,
        PROPGATE_ROLE: "engine",
        PROPGATE_LOG_LEVEL: "info",
      },
      firstNode: () => ({ PROPGATE_ROLE: "all", PROPGATE_PUSH_LISTEN: `127.0.0.1:${port}` }),
    });
    pushing = push();
    await Promise.all([nodes.kill(1), nodes.kill(2)]);
    await secondsUntil(isSharedBy(1));
    const open = async (): Promise<void> => {
      while (traders.length + CONCURRENT <= ACCOUNTS) await openAccount();
    };
    await Promise.all(Array.from({ length: CONCURRENT }, open));
    while (traders.length < ACCOUNTS) await openAccount();
  });
  afterAll(async () => {
    isPushing = false;
    await pushing;
    for (const node of nodes?.nodes ?? []) node.resume();
    await nodes?.close();
  });

  test("processes that own partitions get their shares from the others when they join, and settle every account once", async () => {
    await Promise.all([nodes.kill(1), nodes.kill(2)]);
    await until(isSharedBy(1));
    await Promise.all([nodes.restart(1, {}), nodes.restart(2, {})]);
    report("until the joined nodes had their shares", await secondsUntil(isSharedBy(3)));
    report("until every account was settled", await fall());
    await expectOneFillEach();
  });

  test("processes that own partitions take the accounts of a killed node over", async () => {
    await allPresent();
    await nodes.kill(1);
    report("after a kill, until every account was settled", await fall());
    await expectOneFillEach();
  });

  test("processes that own partitions settle the accounts of a stopped node, which then writes nothing and gets its share again", async () => {
    await allPresent();
    const stopped = nodes.nodes[1];
    stopped.pause();
    const paused = setTimeout(PAUSE_MS);
    report("after a stop, until every account was settled", await fall());
    await paused;
    await until(isSharedBy(2));
    stopped.resume();
    report("after it went on, until it had its share", await secondsUntil(isSharedBy(3)));
    await expectOneFillEach();
  });

  test("processes that own partitions hand their accounts over when they are stopped in order", async () => {
    await allPresent();
    const stopped = nodes.nodes[1].stop();
    const isHandedOver = secondsUntil(isSharedBy(2));
    report("after an orderly stop, until every account was settled", await fall());
    report("of it, until the others had its partitions", await isHandedOver);
    await stopped;
    await expectOneFillEach();
  });
});

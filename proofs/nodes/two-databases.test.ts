import { setTimeout } from "node:timers/promises";
import { accountId as toId } from "@propgate/core";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { PARTITIONS } from "../../packages/ledger/src/storage/rows/partition.ts";
import { shardNumberOf } from "../../packages/ledger/src/storage/rows/shard-number.ts";
import { testPostgresUrl } from "../../packages/server/src/testing/open-test-database.ts";
import { testNatsUrl } from "../../packages/server/src/testing/test-nats.ts";
import { freePort } from "../../test/environment/free-port.ts";
import { eventually, until } from "../../test/eventually.ts";
import type { Trader } from "../kills/kill-under-load.ts";
import { type NodeGroup, openNodeGroup, orderRequest } from "./node-group.ts";

/**
 * The servers of these tests; null when one is missing. The tests run two processes on two PostgreSQL databases. Each
 * account has a limit order at each level.
 */
const [postgres, nats] = [await testPostgresUrl(), await testNatsUrl()];

const ACCOUNTS = 40;
const CONCURRENT = 4;
const START = 100_000;
const LEVELS = [99_700, 99_400] as const;
const BELOW = 50;
const PUSH_EVERY_MS = 250;
const TOKEN = "token-of-the-two-databases";

const OWNERS = `select owner, count(*)::int as partitions from leases
  where name like 'partition %' and lease_until > clock_timestamp() group by owner`;
const FILLS = `select account_id as account, count(*)::int as fills from journal
  where journal_text(event) like '%"orderFilled"%' group by account_id`;

describe.skipIf(postgres === null || nats === null)("two processes on two databases", () => {
  let two: NodeGroup;
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
  const onEach = async <Row>(text: string): Promise<readonly (readonly Row[])[]> =>
    Promise.all(two.databases.map((database) => database.query<Row>(text, [])));
  /** True when this many nodes own all partitions of each database. */
  const isSharedBy = (count: number) => async (): Promise<boolean> => {
    const shares = await onEach<{ readonly partitions: number }>(OWNERS);
    return shares.every(
      (nodes) =>
        nodes.length === count &&
        nodes.reduce((sum, { partitions }) => sum + partitions, 0) === PARTITIONS,
    );
  };
  const fills = async (): Promise<readonly number[]> =>
    (await onEach<{ readonly fills: number }>(FILLS)).flat().map((row) => row.fills);
  const haveFilled = (count: number) => async (): Promise<boolean> => {
    const found = await fills();
    return found.length === ACCOUNTS && found.every((one) => one >= count);
  };
  /** Lets the price fall below the next level. Resolves when every account has filled its order there exactly once. */
  const fall = async (): Promise<void> => {
    fallen += 1;
    bid = (LEVELS[fallen - 1] ?? START) - BELOW;
    await until(haveFilled(fallen));
    expect(await fills()).toEqual(traders.map(() => fallen));
  };
  const newTrader = (): Promise<Trader> => eventually(() => two.newTrader(traders.length));
  const openAccount = async (): Promise<void> => {
    const trader = await newTrader();
    traders.push(trader);
    for (const [node, level] of LEVELS.entries()) {
      const limit = orderRequest({
        execution_type: "LIMIT",
        trade_pair: "BTCUSD",
        order_type: "LONG",
        value: 100,
        limit_price: level,
      });
      expect(await two.send(node, trader, limit)).toMatchObject({ status: 200 });
    }
  };

  beforeAll(async () => {
    const port = await freePort();
    pushUrl = `http://127.0.0.1:${port}`;
    two = await openNodeGroup(postgres ?? "", {
      databases: 2,
      settings: { PROPGATE_PRICES: "push", PROPGATE_PUSH_TOKEN: TOKEN, PROPGATE_ROLE: "engine" },
      firstNode: () => ({ PROPGATE_ROLE: "all", PROPGATE_PUSH_LISTEN: `127.0.0.1:${port}` }),
    });
    pushing = push();
    await until(isSharedBy(2));
    const open = async (): Promise<void> => {
      while (traders.length + CONCURRENT <= ACCOUNTS) await openAccount();
    };
    await Promise.all(Array.from({ length: CONCURRENT }, open));
    while (traders.length < ACCOUNTS) await openAccount();
  });
  beforeEach(async () => {
    if (two.nodes[1].isGone) await two.restart(1, {});
    await until(isSharedBy(2));
  });
  afterAll(async () => {
    isPushing = false;
    await pushing;
    await two?.close();
  });

  test("two processes on two databases put the accounts on both databases in equal parts", () => {
    const onSecond = traders.filter(({ accountId }) => shardNumberOf(toId(accountId)) === 1);
    expect(Math.abs(2 * onSecond.length - ACCOUNTS)).toBeLessThanOrEqual(2 * CONCURRENT);
  });

  test("two processes on two databases answer the requests of accounts of both databases at each of them", async () => {
    for (const trader of traders.slice(0, 2 * CONCURRENT)) {
      const [one, other] = await Promise.all([0, 1].map((node) => two.send(node, trader)));
      expect([one?.status, other?.status]).toEqual([200, 200]);
      expect(other?.body).toEqual(one?.body);
    }
  });

  test("two processes on two databases settle every account of both databases once", async () => {
    await fall();
  });

  test("two processes on two databases take the partitions of both databases over from a killed one, and settle its accounts once", async () => {
    await two.kill(1);
    await fall();
    await until(isSharedBy(1));
  });

  test("two processes on two databases share the partitions of both again when it is back", async () => {
    await two.kill(1);
    await until(isSharedBy(1));
    await two.restart(1, {});
    await until(isSharedBy(2));
    const [trader] = traders;
    if (trader === undefined) throw new Error("there are traders");
    expect((await two.send(1, trader)).status).toBe(200);
  });
});

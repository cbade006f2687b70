import { randomUUID } from "node:crypto";
import { setTimeout } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { testPostgresUrl } from "../../packages/server/src/testing/open-test-database.ts";
import { testNatsUrl } from "../../packages/server/src/testing/test-nats.ts";
import type { Trader } from "../kills/kill-under-load.ts";
import { type NodeGroup, openNodeGroup, orderRequest } from "./node-group.ts";

/**
 * The servers of these tests; null when one is missing. The tests stop a node with SIGSTOP. It keeps its connections
 * and its open transactions.
 */
const [postgres, nats] = [await testPostgresUrl(), await testNatsUrl()];
const STOPPED = "node that is stopped";
const BUY = orderRequest({
  execution_type: "MARKET",
  trade_pair: "BTCUSD",
  order_type: "LONG",
  value: 20,
});
const CLIENTS = 8;

/**
 * The number of times that the test stops the node. While it is stopped, an order at the other node may wait until the
 * stopped node's lease ends.
 */
const PAUSES = 6;
/**
 * Counts transactions of the node that are open on the table `accounts` and wait for the node's next statement. The
 * node's own jobs never wait there for long.
 */
const OPEN = `select count(*)::int as count from pg_stat_activity
  where datname = current_database() and application_name = $1
    and state = 'idle in transaction' and query like '%accounts%'`;

describe.skipIf(postgres === null || nats === null)("a node that is stopped at any moment", () => {
  let two: NodeGroup;
  let shared: Trader;

  beforeAll(async () => {
    two = await openNodeGroup(postgres ?? "", {
      firstNode: (databaseUrl) => {
        const url = new URL(databaseUrl);
        url.searchParams.set("application_name", STOPPED);
        return { PROPGATE_DATABASE_URL: url.href };
      },
    });
    shared = await two.newTrader();
  });
  afterAll(async () => {
    two?.nodes[0].resume();
    await two?.close();
  });

  test("a node that is stopped at any moment holds no account, so another node's orders on the same account go on [S5.R2]", async () => {
    const statuses = new Map<string, number>();
    const place = async (node: number): Promise<void> => {
      const nonce = randomUUID();
      const { status } = await two.send(node, shared, { ...BUY, nonce });
      statuses.set(nonce, status);
    };
    let isOn = true;
    const clients = Array.from({ length: CLIENTS }, async () => {
      while (isOn) await place(0);
    });
    for (let pauses = 0; pauses < PAUSES; pauses += 1) {
      await setTimeout(20 + pauses);
      two.nodes[0].pause();
      await setTimeout(20);
      const [row] = await two.database.query<{ count: number }>(OPEN, [STOPPED]);
      expect(row?.count).toBe(0);
      await place(1);
      two.nodes[0].resume();
    }
    isOn = false;
    await Promise.all(clients);
    expect(statuses.size).toBeGreaterThan(2 * PAUSES);
    // A 500 means that the account was changing to another node and the order was not carried out.
    expect([200, 500]).toEqual(expect.arrayContaining([...new Set(statuses.values())]));
    const accepted = [...statuses].filter(([, status]) => status === 200).map(([nonce]) => nonce);
    expect(accepted.length).toBeGreaterThan(PAUSES);
    // The journal has every accepted order once, and no other order.
    const carriedOut = await two.database.query<{ nonce: string }>(
      `select nonce from journal where nonce is not null and journal_text(event) like '%"type":"orderFilled"%'`,
      [],
    );
    expect(carriedOut.map(({ nonce }) => nonce).toSorted()).toEqual(accepted.toSorted());
  });
});

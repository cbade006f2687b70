import { randomUUID } from "node:crypto";
import { setTimeout } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { testPostgresUrl } from "../../packages/server/src/testing/open-test-database.ts";
import type { Trader } from "../kills/kill-harness.ts";
import { type Answered, openTwoNodes, order, POSITIONS, type TwoNodes } from "./two-nodes.ts";

/** A stopped process (SIGSTOP) keeps its connections and its open transaction. */
const postgres = await testPostgresUrl();
const STOPPED = "node that is stopped";
const BUY = order({
  execution_type: "MARKET",
  trade_pair: "BTCUSD",
  order_type: "LONG",
  value: 20,
});
/** The maximum delay of the other nodes. */
const DELAY_MAX_MS = 2_000;
const CLIENTS = 8;
/** Counts transactions between two statements that have locked accounts and written nothing yet. */
const HOLDING = `select count(*)::int as count from pg_stat_activity
  where datname = current_database() and application_name = $1
    and state = 'idle in transaction' and query like '%for no key update of a%'`;

interface SentOrder {
  readonly nonce: string;
  readonly answer: Promise<Answered>;
}

describe.skipIf(postgres === null)("a node stopped between lock and commit", () => {
  let two: TwoNodes;
  let shared: Trader;
  let other: Trader;
  const sent: SentOrder[] = [];

  beforeAll(async () => {
    two = await openTwoNodes(postgres ?? "", {
      firstNode: (databaseUrl) => {
        const url = new URL(databaseUrl);
        url.searchParams.set("application_name", STOPPED);
        return { PROPGATE_DATABASE_URL: url.href, PROPGATE_COMMIT: "lock" };
      },
    });
    shared = await two.newTrader();
    other = await two.newTrader();
  });
  afterAll(async () => {
    two?.nodes[0].resume();
    await two?.close();
  });

  const place = (node: number, trader: Trader): Promise<Answered> => {
    const nonce = randomUUID();
    const answer = two.send(node, trader, { ...BUY, nonce });
    sent.push({ nonce, answer });
    return answer;
  };
  const holdsLocks = async (): Promise<boolean> => {
    const [row] = await two.database.query<{ count: number }>(HOLDING, [STOPPED]);
    return (row?.count ?? 0) > 0;
  };
  /** Places orders on the first node, and stops the node while it holds the lock of the shared account. */
  const stopWhileHolding = async (): Promise<() => Promise<unknown>> => {
    let isOn = true;
    const clients = Array.from({ length: CLIENTS }, async () => {
      while (isOn) await place(0, shared);
    });
    for (;;) {
      two.nodes[0].pause();
      // The database first carries out the statements that the node has already sent.
      await setTimeout(20);
      if ((await holdsLocks()) && (await holdsLocks())) break;
      two.nodes[0].resume();
      await setTimeout(5);
    }
    return () => {
      isOn = false;
      return Promise.all(clients);
    };
  };

  test("a stopped node delays another node by at most two seconds, and recovers by itself [S5.R2]", async () => {
    // Both nodes load the accounts first, so that only the stop delays orders.
    for (const trader of [shared, other]) expect((await place(1, trader)).status).toBe(200);
    const endLoad = await stopWhileHolding();
    const stoppedAt = performance.now();
    const delay = async (trader: Trader): Promise<number> => {
      expect((await place(1, trader)).status).toBe(200);
      return performance.now() - stoppedAt;
    };
    const [ofShared, ofOther] = await Promise.all([delay(shared), delay(other)]);
    expect(await fetch(`${two.nodes[1].baseUrl}/health`)).toMatchObject({ status: 200 });
    expect(await holdsLocks()).toBe(false);
    expect(ofOther).toBeLessThan(DELAY_MAX_MS);
    expect(ofShared).toBeLessThan(DELAY_MAX_MS);

    two.nodes[0].resume();
    await endLoad();
    expect((await place(0, shared)).status).toBe(200);
    expect((await two.send(0, shared, { target: POSITIONS })).status).toBe(200);

    // Every order was carried out at most once, and each order answered with 200 was carried out.
    const made = new Map(
      (
        await two.database.query<{ nonce: string; count: number }>(
          `select nonce, count(*)::int as count from journal
           where nonce is not null and event like '%"type":"orderFilled"%' group by nonce`,
          [],
        )
      ).map(({ nonce, count }) => [nonce, count]),
    );
    for (const { nonce, answer } of sent) {
      const { status, body } = await answer;
      expect([nonce, status, made.get(nonce), body]).toEqual([nonce, 200, 1, body]);
    }
  });
});

const PAUSES = 20;
/** Counts transactions of the node that wait for its next statement; the node's own jobs never do for long. */
const OPEN = `select count(*)::int as count from pg_stat_activity
  where datname = current_database() and application_name = $1
    and state = 'idle in transaction' and query like '%accounts%'`;

describe.skipIf(postgres === null)("a node that compares and is stopped at any moment", () => {
  let two: TwoNodes;
  let shared: Trader;

  beforeAll(async () => {
    two = await openTwoNodes(postgres ?? "", {
      firstNode: (databaseUrl) => {
        const url = new URL(databaseUrl);
        url.searchParams.set("application_name", STOPPED);
        return { PROPGATE_DATABASE_URL: url.href, PROPGATE_COMMIT: "compare" };
      },
    });
    shared = await two.newTrader();
  });
  afterAll(async () => {
    two?.nodes[0].resume();
    await two?.close();
  });

  test("holds no account, so another node's orders on the same account go on [S5.R2]", async () => {
    const statuses: number[] = [];
    let isOn = true;
    const clients = Array.from({ length: CLIENTS }, async () => {
      while (isOn) {
        const { status } = await two.send(0, shared, { ...BUY, nonce: randomUUID() });
        statuses.push(status);
      }
    });
    for (let pauses = 0; pauses < PAUSES; pauses += 1) {
      await setTimeout(20 + pauses);
      two.nodes[0].pause();
      await setTimeout(20);
      const [row] = await two.database.query<{ count: number }>(OPEN, [STOPPED]);
      expect(row?.count).toBe(0);
      const nonce = randomUUID();
      expect((await two.send(1, shared, { ...BUY, nonce })).status).toBe(200);
      two.nodes[0].resume();
    }
    isOn = false;
    await Promise.all(clients);
    expect(statuses.length).toBeGreaterThan(PAUSES);
    expect(new Set(statuses)).toEqual(new Set([200]));
  });
});

import { randomUUID } from "node:crypto";
import { receiptPath } from "@propgate/contract";
import { accountId as toId } from "@propgate/core";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { partitionLease, partitionOf } from "../../packages/ledger/src/storage/rows/partition.ts";
import { testPostgresUrl } from "../../packages/server/src/testing/open-test-database.ts";
import { testNatsUrl } from "../../packages/server/src/testing/test-nats.ts";
import { scaledCount } from "../../test/environment/depth.ts";
import { eventually, until } from "../../test/eventually.ts";
import type { Trader } from "../kills/kill-under-load.ts";
import {
  type NodeAnswer,
  type NodeGroup,
  openNodeGroup,
  orderRequest,
  POSITIONS_PATH,
} from "./node-group.ts";

/**
 * The servers of these tests; null when one is missing. The tests run three processes. Every order may reach any of
 * them.
 */
const [postgres, nats] = [await testPostgresUrl(), await testNatsUrl()];

const BUY = orderRequest({
  execution_type: "MARKET",
  trade_pair: "BTCUSD",
  order_type: "LONG",
  value: 20,
});
const ORDERS = scaledCount(200, 60);
const ORDERS_PAGE = "/api/v1/trading/orders";
const ACCOUNT = "/api/v1/trading/account";
const NODES = [0, 1, 2] as const;
/** The number of the advisory lock that the test holds. */
const HELD = 4_711;
/** The number of accounts that are opened after a kill. About a third of them belong to the killed node. */
const OPENED = 12;

describe.skipIf(postgres === null || nats === null)("orders at any of three processes", () => {
  let three: NodeGroup;
  let trader: Trader;

  beforeAll(async () => {
    three = await openNodeGroup(postgres ?? "", {
      nodes: 3,
      // With this role `firstNode` finds the node's row of the table `nodes`.
      firstNode: () => ({ PROPGATE_ROLE: "engine" }),
      settings: { PROPGATE_NATS_URL: nats ?? "", PROPGATE_LOG_LEVEL: "info" },
    });
    // The first partitions may still change from the node that started alone to the other nodes.
    await until(async () => {
      const made = await three.newTrader().catch(() => null);
      if (made !== null) trader = made;
      return made !== null;
    });
    // A trigger makes the commit of a receipt wait while the test holds the lock.
    await three.database.query(
      `create function held() returns trigger language plpgsql as $$
       begin
         while exists (select from pg_locks where locktype = 'advisory' and objid = ${HELD}) loop
           perform pg_sleep(0.01);
         end loop;
         return null;
       end $$`,
      [],
    );
    await three.database.query(
      `create constraint trigger held after insert on receipts
       deferrable initially deferred for each row execute function held()`,
      [],
    );
  });
  beforeEach(async () => {
    if (three.nodes[0].isGone) await isBack();
  });
  afterAll(async () => {
    await three?.close();
  });

  const filled = async (nonce: string): Promise<number> => {
    const rows = await three.database.query<{ count: number }>(
      `select count(*)::int as count from journal where nonce = $1 and journal_text(event) like '%"type":"orderFilled"%'`,
      [nonce],
    );
    return rows[0]?.count ?? 0;
  };
  /** The id of the first node's present process, whose row is the newest without the role `feed`. */
  const firstNode = async (): Promise<string | undefined> => {
    const [row] = await three.database.query<{ node_id: string }>(
      "select node_id from nodes where roles not like '%feed%' order by seen_at_ms desc limit 1",
      [],
    );
    return row?.node_id;
  };
  const ownerOf = async ({ accountId }: Pick<Trader, "accountId">): Promise<string> => {
    const [row] = await three.database.query<{ owner: string }>(
      "select owner from leases where name = $1 and lease_until > clock_timestamp()",
      [partitionLease(partitionOf(toId(accountId)))],
    );
    return row?.owner ?? "none";
  };

  /** The id and the quantity of the position, and the balance, which a new price does not change. */
  const figures = async (node: number): Promise<string> => {
    const [positions, account] = await Promise.all([
      three.send(node, trader, { target: POSITIONS_PATH }),
      three.send(node, trader, { target: ACCOUNT }),
    ]);
    const open = JSON.stringify(dataOf(positions));
    return [
      open.match(/"netQuantity":[^,]*/)?.[0],
      open.match(/"positionUuid":[^,]*/)?.[0],
      JSON.stringify(dataOf(account)).match(/"currentBalance":[^,]*/)?.[0],
    ].join();
  };

  test("many in turn are each carried out once, and every node shows the same", async () => {
    const nonces: string[] = [];
    for (let index = 0; index < ORDERS; index += 1) {
      const nonce = randomUUID();
      nonces.push(nonce);
      const placed = await three.send(index, trader, { ...BUY, nonce });
      expect([index, placed.status]).toEqual([index, 200]);
      if (index % 20 > 0) continue;
      const [seen, receipt] = await Promise.all([
        three.send(index + 1, trader, { target: POSITIONS_PATH }),
        three.send(index + 2, trader, { target: receiptPath(nonce) }),
      ]);
      expect(receipt.body).toMatchObject({ data: { fate: "accepted", result: dataOf(placed) } });
      expect(seen.status).toBe(200);
    }
    const rows = await three.database.query<{ nonce: string; seq: string }>(
      `select nonce, seq from journal where account_id = $1 and nonce is not null and journal_text(event) like '%"type":"orderFilled"%' order by seq`,
      [trader.accountId],
    );
    expect(rows.map(({ nonce }) => nonce)).toEqual(nonces);
    const shown = await Promise.all(
      NODES.map(async (node) => dataOf(await three.send(node, trader, { target: ORDERS_PAGE }))),
    );
    expect(shown[1]).toEqual(shown[0]);
    expect(shown[2]).toEqual(shown[0]);
    const equal = await Promise.all(NODES.map((node) => figures(node)));
    expect(new Set(equal).size).toBe(1);
    expect(equal[0]).toMatch(/^"netQuantity":.+,"positionUuid":.+,"currentBalance":/);
  });

  /**
   * Sends a command to the first node and kills the node while its commit waits, so that it cannot answer. Resolves
   * with the answer of the node that owns the account afterwards.
   */
  const killedAtCommit = async <Answer>(send: () => Promise<Answer>): Promise<Answer> => {
    const answers: Promise<Answer>[] = [];
    await three.database.transaction(async (holding) => {
      await holding.query(`select pg_advisory_xact_lock(${HELD})`, []);
      answers.push(send());
      await until(async () => {
        const waiting = await three.database.query(
          "select from pg_stat_activity where datname = current_database() and wait_event = 'PgSleep'",
          [],
        );
        return waiting.length > 0;
      });
      await three.kill(0);
    });
    return answers[0] ?? send();
  };
  /** A new trader whose account the first node owns. */
  const traderOfFirst = async (): Promise<Trader> => {
    const first = await firstNode();
    let found = await three.newTrader(1);
    while ((await ownerOf(found)) !== first) found = await three.newTrader(1);
    return found;
  };
  const promote = (node: number, { accountId }: Trader): Promise<NodeAnswer> =>
    three.operate(node, `POST /accounts/${accountId}/promote`, { phase: "challenge" });
  const promotions = async ({ accountId }: Trader): Promise<number> => {
    const [row] = await three.database.query<{ count: number }>(
      `select count(*)::int as count from journal where account_id = $1 and journal_text(event) like '%"type":"challengePassed"%'`,
      [accountId],
    );
    return row?.count ?? 0;
  };
  const isBack = async (): Promise<void> => {
    await three.restart(0, { PROPGATE_ROLE: "engine" });
    await until(async () => {
      const first = await firstNode();
      const [row] = await three.database.query<{ count: number }>(
        "select count(*)::int as count from leases where owner::text = $1 and lease_until > clock_timestamp()",
        [first],
      );
      return (row?.count ?? 0) > 0;
    });
  };

  test("one whose owner is killed between commit and answer is answered once, by the next owner", async () => {
    const first = await firstNode();
    const moved = await traderOfFirst();
    const nonce = randomUUID();
    const placed = await killedAtCommit(() => three.send(1, moved, { ...BUY, nonce }));
    expect(placed).toMatchObject({ status: 200 });
    expect(await filled(nonce)).toBe(1);
    expect(await ownerOf(moved)).not.toBe(first);
    const receipt = await three.send(2, moved, { target: receiptPath(nonce) });
    expect(receipt.body).toMatchObject({ data: { fate: "accepted", result: dataOf(placed) } });
  });

  test("an operator's command whose owner is killed between commit and answer is carried out once", async () => {
    const moved = await traderOfFirst();
    expect(await killedAtCommit(() => promote(1, moved))).toMatchObject({ status: 200 });
    expect(await promotions(moved)).toBe(1);
  });

  test("operator's commands that a killed owner never gets are carried out once, by the next owner", async () => {
    const moved = await traderOfFirst();
    await three.kill(0);
    const owners = Array.from({ length: OPENED }, () => `owner-${randomUUID()}`);
    // On a slow machine the next owner may take over the accounts later than a command waits. The command then gets 503
    // and may be repeated.
    const taken = (send: () => Promise<NodeAnswer>): Promise<NodeAnswer> =>
      eventually(async () => {
        const answer = await send();
        if (answer.status === 503) throw new Error(JSON.stringify(answer.body));
        return answer;
      });
    const answers = await Promise.all([
      taken(() => promote(1, moved)),
      ...owners.map((ownerId, index) => {
        const repeatable = { "Idempotency-Key": ownerId };
        const opening = { size: 100_000, ownerId };
        return taken(() => three.operate(1 + (index % 2), "POST /accounts", opening, repeatable));
      }),
    ]);
    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200));
    expect(await promotions(moved)).toBe(1);
    const accounts = await three.database.query(
      "select owner_id from accounts where owner_id = any ($1)",
      [owners],
    );
    expect(accounts).toHaveLength(OPENED);
  });
});

function dataOf(answer: NodeAnswer | undefined): object {
  const body = answer?.body;
  if (typeof body !== "object" || body === null || !("data" in body)) throw new Error("no data");
  const { data } = body;
  if (typeof data !== "object" || data === null) throw new Error("no data");
  return data;
}

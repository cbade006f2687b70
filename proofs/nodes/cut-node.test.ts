import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { PARTITIONS } from "../../packages/ledger/src/storage/rows/partition.ts";
import { testPostgresUrl } from "../../packages/server/src/testing/open-test-database.ts";
import { testNatsUrl } from "../../packages/server/src/testing/test-nats.ts";
import { eventually } from "../../test/eventually.ts";
import { openTcpSwitch, type TcpSwitch } from "../failover/tcp-switch.ts";
import type { Trader } from "../kills/kill-under-load.ts";
import { type NodeGroup, openNodeGroup, orderRequest } from "./node-group.ts";

/**
 * The servers of these tests; null when one is missing. The tests run two nodes. The second one reaches NATS through a
 * switch, so a test can cut it off from the prices that the first one still gets.
 */
const [postgres, nats] = [await testPostgresUrl(), await testNatsUrl()];
const BUY = orderRequest({
  execution_type: "MARKET",
  trade_pair: "BTCUSD",
  order_type: "LONG",
  value: 1_000,
});
const OWNED = `select count(*)::int as owned from leases
  where lease_until > clock_timestamp() and name like 'partition%' group by owner order by owned`;

describe.skipIf(postgres === null || nats === null)(
  "a node that gets no prices beside one that does [D12.claims]",
  () => {
    let two: NodeGroup;
    let link: TcpSwitch;
    let traders: readonly Trader[];

    beforeAll(async () => {
      link = await openTcpSwitch(Number(new URL(nats ?? "").port));
      two = await openNodeGroup(postgres ?? "");
      traders = await Promise.all(
        Array.from({ length: 8 }, (_, index) => eventually(() => two.newTrader(index))),
      );
    });
    afterAll(async () => {
      await two?.close();
      await link?.close();
    });

    const owned = async (): Promise<readonly number[]> => {
      const rows = await two.database.query<{ readonly owned: number }>(OWNED, []);
      return rows.map((row) => row.owned);
    };
    const problem = async (): Promise<unknown> => {
      const answer = await fetch(`${two.nodes[1].baseUrl}/ready`);
      return ((await answer.json()) as { readonly problem?: string }).problem ?? null;
    };
    const everyAccountTrades = async (): Promise<void> => {
      for (const trader of traders) {
        await eventually(async () => {
          expect((await two.send(0, trader, BUY)).status).toBe(200);
        });
      }
    };

    test("a node that gets no prices claims nothing from its start on, and its share when they come", async () => {
      link.setState("cut");
      const natsUrl = `nats://127.0.0.1:${link.port}`;
      await two.restart(1, { PROPGATE_NATS_URL: natsUrl });
      expect(await problem()).toBe("there is no connection to NATS");
      await everyAccountTrades();
      expect(await owned()).toEqual([PARTITIONS]);
      link.setState("open");
      await eventually(async () => {
        expect([await problem(), (await owned()).length]).toEqual([null, 2]);
      });
      await everyAccountTrades();
    });

    test("a node that gets no prices any more gives its share away, and all accounts trade", async () => {
      link.setState("cut");
      await everyAccountTrades();
      expect(await owned()).toEqual([PARTITIONS]);
      link.setState("open");
      await eventually(async () => {
        expect([await problem(), (await owned()).length]).toEqual([null, 2]);
      });
    });
  },
);

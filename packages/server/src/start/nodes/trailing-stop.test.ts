import { randomUUID } from "node:crypto";
import { type AccountId, orderUuid } from "@propgate/core";
import { expect, test } from "vitest";
import { createSeededChance } from "../../../../base/src/random.ts";
import type { Database } from "../../../../ledger/src/storage/databases/database.ts";
import { createLeaseStore, type Lease } from "../../../../ledger/src/storage/leases/lease-store.ts";
import {
  PARTITIONS,
  partitionLease,
  partitionOf,
} from "../../../../ledger/src/storage/rows/partition.ts";
import { describeOnEachDatabase } from "../../testing/each-database.ts";
import { createManualEngine, type ManualEngine } from "../../testing/manual-engine.ts";
import { EURUSD } from "../../testing/small-market.ts";

const LEASES = Array.from({ length: PARTITIONS }, (_, partition) => partitionLease(partition));
const LEASE_MS = 1_000_000;

/** A node with the real network, which decides the accounts whose leases it holds. */
interface StopNode {
  readonly engine: ManualEngine;
  /** Makes this node the owner of all accounts in place of another node, which does not notice. */
  own(): Promise<void>;
}

function openNode(database: Database): StopNode {
  let leases: ReadonlyMap<string, Lease> = new Map();
  const owner = randomUUID();
  const engine = createManualEngine(database, {
    chance: createSeededChance(owner),
    ownership: {
      leaseOf: (account) => leases.get(partitionLease(partitionOf(account))) ?? null,
      partitions: () => [],
      onStaleLeases() {},
    },
  });
  return {
    engine,
    async own() {
      await database.query("update leases set lease_until = '-infinity'", []);
      const by = { owner, forMs: LEASE_MS, above: 0 };
      const claimed = await createLeaseStore(database).claim(LEASES, by);
      leases = new Map(claimed.map((lease) => [lease.name, lease]));
      engine.market.watchAccounts(await engine.cache.loadExposed());
    },
  };
}

/** The best price in the node's list of orders, and the stop in its list of positions. */
async function shownBy({ engine }: StopNode, accountId: AccountId): Promise<readonly unknown[]> {
  const at = { accountId, version: (await engine.journal(accountId)).length };
  const [orders, positions] = [
    await engine.network.pendingOrders(at),
    await engine.network.positions(at),
  ];
  if (!(orders.ok && positions.ok)) throw new Error("a node without an answer");
  const legs = orders.value.map((order) => ("bestPrice" in order ? order.bestPrice : null));
  return [...legs, ...positions.value.map(({ stopLoss }) => stopLoss)];
}

await describeOnEachDatabase(
  "a trailing stop of an account that one of three nodes owns",
  (database) => {
    test("three nodes show the same trailing stop once its owner has shown it, and still after the owner is lost [D13.stopNeverFalls]", async () => {
      const first = openNode(database());
      const second = openNode(database());
      const third = openNode(database());
      const quote = async (price: number) => {
        for (const { engine } of [first, second, third]) await engine.quote(EURUSD, price, price);
      };
      await first.own();
      await quote(1);
      const id = await first.engine.open();
      await first.engine.order(id, {
        type: "placeMarket",
        orderUuid: orderUuid(randomUUID()),
        pair: EURUSD,
        direction: "long",
        size: { kind: "quantity", lots: 0.1 },
        legs: [
          {
            stopLoss: null,
            takeProfit: null,
            trailing: { kind: "value", value: 0.25 },
            size: null,
          },
        ],
        reduceOnly: false,
      });
      const shown = async (...nodes: readonly StopNode[]) => {
        const answers = [];
        for (const node of nodes) answers.push(await shownBy(node, id));
        return answers;
      };
      const all = (best: number, count: number) =>
        Array.from({ length: count }, () => [best, best - 0.25]);

      expect(await shown(first, second, third)).toEqual(all(1, 3));
      await quote(1.5);
      await quote(1.375);
      expect(await shown(first, second, third, first)).toEqual(all(1.5, 4));
      await second.own();
      expect(await shown(third, second)).toEqual(all(1.5, 2));
      await quote(1.75);
      await quote(1.625);
      // The former owner has followed the price too. It cannot record the best price, so it does not show the moved
      // stop.
      expect(await shown(first)).toEqual(all(1.5, 1));
      expect(await shown(second, third, first)).toEqual(all(1.75, 3));
      expect(first.engine.faults).toEqual([]);
    });
  },
);

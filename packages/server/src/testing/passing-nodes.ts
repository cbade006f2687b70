import { randomUUID } from "node:crypto";
import type { AccountId } from "@propgate/core";
import type { TraceParent } from "../base/trace-parent.ts";
import type { Database } from "../storage/databases/database.ts";
import { createLeaseStore, type Lease } from "../storage/leases/lease-store.ts";
import { PARTITIONS, partitionLease, partitionOf } from "../storage/rows/partition.ts";
import { createReceiptStore } from "../storage/stores/receipt-store.ts";
import type { Executor } from "../trading/executor-port.ts";
import type { OrderReceipt } from "../trading/network/port.ts";
import type { Ownership } from "../trading/ownership.ts";
import { createAnsweredBefore } from "../trading/passing/answered-before.ts";
import { openPassing } from "../trading/passing/open-passing.ts";
import type { PassingFigures } from "../trading/passing/passing-figures.ts";
import type { PassingResult } from "../trading/passing/passing-message.ts";
import { type CountingNetwork, countingNetwork } from "./counting-network.ts";
import { createMadeHub, type MadeHub, type MadeTransport } from "./made-transport.ts";
import { createManualTime, type ManualTime } from "./manual-time.ts";

/** A node of the counting network that passes the commands of accounts that it does not own. */
export interface PassingNode {
  readonly id: string;
  /** Decides only accounts of its own. */
  readonly local: CountingNetwork;
  readonly executor: Executor;
  readonly transport: MadeTransport;
  readonly faults: readonly unknown[];
  /** The spans of the commands that other nodes passed to this one, each with its end. */
  readonly traced: readonly (readonly [TraceParent, PassingResult["is"]])[];
  figures(): PassingFigures;
  /** How many orders this node has decided. */
  orders(): number;
}

/** Nodes on one database, with messages and time that only the test moves. */
export interface PassingNodes {
  readonly hub: MadeHub;
  readonly time: ManualTime;
  readonly installation: string;
  readonly nodes: readonly PassingNode[];
  /** Gives all partitions to the node, or ends all leases. With `unnoticed`, the former owner does not notice. */
  give(to: PassingNode | null, how?: "unnoticed"): Promise<void>;
  /** Moves time until the promise is settled. */
  until<Value>(promise: Promise<Value>): Promise<Value>;
}

export const SEAL_KEY = Buffer.alloc(32, 7);
export const TIMEOUT_MS = 15_000;
const FOR_MS = 1_000_000;
const STEP_MS = 100;

export function passingNodes(database: Database, count: number): PassingNodes {
  const hub = createMadeHub();
  const time = createManualTime(0);
  const installation = randomUUID();
  const beliefs = new Map<string, ReadonlyMap<string, Lease>>();
  const store = createLeaseStore(database);
  const names = Array.from({ length: PARTITIONS }, (_, partition) => partitionLease(partition));
  let owner: PassingNode | null = null;
  const nodes = Array.from({ length: count }, (_, index) => {
    const id = randomUUID();
    const transport = hub.node();
    const ownership: Ownership = {
      leaseOf: (account) => beliefs.get(id)?.get(leaseName(account)) ?? null,
      partitions: () => [],
      refused: () => void beliefs.delete(id),
    };
    let orders = 0;
    const local = countingNetwork(database, {
      ownership,
      onOrder: () => {
        orders += 1;
      },
    });
    const faults: unknown[] = [];
    const onFault = (cause: unknown): void => void faults.push(cause);
    const traced: [TraceParent, PassingResult["is"]][] = [];
    const passing = openPassing({
      transport,
      installation,
      node: id,
      sealKeys: index === 0 ? [SEAL_KEY, Buffer.alloc(32, 8)] : [SEAL_KEY],
      ownership,
      leases: [store],
      steadyClock: { nowMs: () => time.clock.now() },
      timer: time.timer,
      chance: { uuid: randomUUID },
      timeoutMs: TIMEOUT_MS,
      traces: { begin: (trace) => (end) => void traced.push([trace, end]) },
      log: { warn: () => undefined },
      local: local.executor,
      cache: local.cache,
      clock: { now: () => local.now },
      answeredBefore: createAnsweredBefore({
        cache: local.cache,
        receipts: () => createReceiptStore(database),
        renderAnswer: ({ rest }) => ({
          value: NOTHING_CANCELLED,
          sent: JSON.stringify((JSON.parse(rest) as readonly [form: 1, sent: object])[1]),
          rest,
        }),
      }),
      onFault,
    });
    return { id, local, transport, faults, traced, ...passing, orders: () => orders };
  });

  return {
    hub,
    time,
    installation,
    nodes,
    async give(to, how) {
      await database.query("update leases set lease_until = '-infinity'", []);
      if (owner !== null && how !== "unnoticed") beliefs.delete(owner.id);
      owner = to;
      if (to === null) return;
      const leases = await store.claim(names, { owner: to.id, forMs: FOR_MS, above: 0 });
      beliefs.set(to.id, new Map(leases.map((lease) => [lease.name, lease])));
    },
    async until(promise) {
      let isSettled = false;
      const settled = () => {
        isSettled = true;
      };
      promise.then(settled, settled);
      while (!isSettled) {
        // Time waits for the database, however slow it is.
        for (let query = 0; query < 3; query += 1) {
          await database.query("select 1", []);
          await new Promise(setImmediate);
        }
        await time.pass(STEP_MS);
      }
      return promise;
    },
  };
}

function leaseName(account: AccountId): string {
  return partitionLease(partitionOf(account));
}

const NOTHING_CANCELLED: OrderReceipt = {
  orderUuid: "",
  outcome: "cancelled",
  ended: null,
  note: { kind: "cancelled", count: 0, notFound: [], withoutStop: [] },
  order: null,
  processingMs: 0,
};

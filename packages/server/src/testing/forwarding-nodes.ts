import { randomUUID } from "node:crypto";
import type { AccountId } from "@propgate/core";
import type { TraceParent } from "../../../base/src/trace-parent.ts";
import type { ForwardResult } from "../../../cluster/src/forwarding/forward-message.ts";
import type { ForwardingFigures } from "../../../cluster/src/forwarding/forwarding-figures.ts";
import { openForwarding } from "../../../cluster/src/forwarding/open-forwarding.ts";
import type { Database } from "../../../ledger/src/storage/databases/database.ts";
import { createLeaseStore, type Lease } from "../../../ledger/src/storage/leases/lease-store.ts";
import {
  PARTITIONS,
  partitionLease,
  partitionOf,
} from "../../../ledger/src/storage/rows/partition.ts";
import type { Executor } from "../../../ledger/src/trading/executor-port.ts";
import type { Ownership } from "../../../ledger/src/trading/ownership.ts";
import { type CountingNetwork, createCountingNetwork } from "./counting-network.ts";
import { createMadeMessageHub, type MadeMessageHub, type MadeTransport } from "./made-transport.ts";
import { createManualTime, type ManualTime } from "./manual-time.ts";

/** A node of the counting network that forwards the commands of accounts that it does not own. */
export interface ForwardingNode {
  readonly id: string;
  /** The node's counting network, with its state cache and its clock. */
  readonly local: CountingNetwork;
  readonly executor: Executor;
  readonly transport: MadeTransport;
  readonly faults: readonly unknown[];
  /** The spans of the commands that other nodes forwarded to this one, each with its result. */
  readonly traced: readonly (readonly [TraceParent, ForwardResult["is"]])[];
  figures(): ForwardingFigures;
  /** The number of orders that this node has decided. */
  orders(): number;
}

/** Nodes on one database, with messages and time that only the test moves. */
export interface ForwardingNodes {
  readonly hub: MadeMessageHub;
  readonly time: ManualTime;
  readonly installation: string;
  readonly nodes: readonly ForwardingNode[];
  /** Gives all partitions to the node; null ends all leases. With `unnoticed`, the former owner does not notice. */
  give(to: ForwardingNode | null, how?: "unnoticed"): Promise<void>;
  /** Moves time until the promise is settled. */
  until<Value>(promise: Promise<Value>): Promise<Value>;
}

export const FORWARDING_SEAL_KEY = Buffer.alloc(32, 7);
export const FORWARDING_TIMEOUT_MS = 15_000;
const FOR_MS = 1_000_000;
const STEP_MS = 100;

export function createForwardingNodes(given: Database, count: number): ForwardingNodes {
  const { database, underWay } = countStatements(given);
  const hub = createMadeMessageHub();
  const time = createManualTime(0);
  const installation = randomUUID();
  const beliefs = new Map<string, ReadonlyMap<string, Lease>>();
  const store = createLeaseStore(database);
  const names = Array.from({ length: PARTITIONS }, (_, partition) => partitionLease(partition));
  let owner: ForwardingNode | null = null;
  const nodes = Array.from({ length: count }, (_, index) => {
    const id = randomUUID();
    const transport = hub.node();
    const ownership: Ownership = {
      leaseOf: (account) => beliefs.get(id)?.get(leaseName(account)) ?? null,
      partitions: () => [],
      onStaleLeases: () => void beliefs.delete(id),
    };
    let orders = 0;
    const faults: unknown[] = [];
    const onFault = (cause: unknown): void => void faults.push(cause);
    const traced: [TraceParent, ForwardResult["is"]][] = [];
    const forwarding = openForwarding({
      transport,
      installation,
      node: id,
      sealKeys: index === 0 ? [FORWARDING_SEAL_KEY, Buffer.alloc(32, 8)] : [FORWARDING_SEAL_KEY],
      leases: [store],
      steadyClock: { nowMs: () => time.clock.now() },
      timer: time.timer,
      chance: { uuid: randomUUID },
      timeoutMs: FORWARDING_TIMEOUT_MS,
      traces: { begin: (trace) => (end) => void traced.push([trace, end]) },
      log: { warn: () => undefined },
      clock: { now: () => local.now },
      onFault,
    });
    const local = createCountingNetwork(database, {
      ownership,
      forwarding,
      timer: time.timer,
      onOrder: () => {
        orders += 1;
      },
    });
    const { executor, cache } = local;
    forwarding.serve({ local: executor, ownership, cache });
    const { figures } = forwarding;
    return { id, local, transport, faults, traced, executor, figures, orders: () => orders };
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
        // Time does not move until the statements under way have ended, however slow the database is.
        for (let round = 0; round < 3; round += 1) {
          do {
            await new Promise(setImmediate);
          } while (underWay() > 0);
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

/** The database, and a count of its statements and transactions that have not ended. */
function countStatements(database: Database): {
  readonly database: Database;
  readonly underWay: () => number;
} {
  let count = 0;
  const counted = <Value>(result: Promise<Value>): Promise<Value> => {
    count += 1;
    return result.finally(() => {
      count -= 1;
    });
  };
  return {
    underWay: () => count,
    database: {
      kind: database.kind,
      query: (text, parameters) => counted(database.query(text, parameters)),
      transaction: (work, limits) => counted(database.transaction(work, limits)),
      connections: () => database.connections(),
      close: () => database.close(),
    },
  };
}

import { type Clock, type Log, type Settings, systemStopwatch, systemTimer } from "@propgate/base";
import type { Instruments } from "@propgate/core";
import { createLeaseStore, type Shards } from "@propgate/ledger";
import type { TakeOverOptions } from "../take-over.ts";
import type { Tracing } from "../tracing/open-tracing.ts";
import { createLeasedDelivery } from "./leased-delivery.ts";
import type { NodeBus } from "./node-bus.ts";
import type { NodeClock } from "./node-clock.ts";
import { createForwardingOpener } from "./node-forwarding.ts";
import { type NodeMembership, rolesOf } from "./node-membership.ts";
import { openNodePartitions } from "./node-partitions.ts";
import { NEVER_DELIVERS, type NodeWork } from "./node-work.ts";

/**
 * Creates the parts that share the work with other nodes: the partitions of this node, the forwarding of commands to
 * the owners of accounts, and the lease for the delivery of webhooks.
 */
export function composeNodeWork(options: {
  readonly nodeBus: NodeBus;
  readonly databases: Shards;
  readonly settings: Settings;
  readonly node: NodeMembership;
  readonly nodeClock: NodeClock;
  readonly tape: TakeOverOptions["tape"];
  readonly board: TakeOverOptions["board"];
  readonly instruments: Instruments;
  readonly engine: Parameters<typeof openNodePartitions>[0]["engine"];
  readonly tracing: Tracing | null;
  readonly clock: Clock;
  readonly log: Log;
}): NodeWork {
  const { databases, node, nodeClock, settings } = options;
  const clocks = { nodeClock, steadyClock: systemStopwatch, timer: systemTimer };
  const leases = createLeaseStore(databases.first);
  const isCandidate = rolesOf(settings.role).includes("engine");
  return {
    partitions: openNodePartitions({ ...options, ...clocks, isCandidate, membership: node }),
    openForwarding: createForwardingOpener(options),
    webhookTurn: isCandidate
      ? createLeasedDelivery({ leases, node: node.nodeId, ...clocks })
      : NEVER_DELIVERS,
  };
}

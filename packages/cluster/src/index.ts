/**
 * # Cluster: code that is needed because there may be more than one node
 *
 * A lease gives one node the right to some work. The leases of partitions determine which node decides which accounts.
 * A node forwards commands for another node's accounts to that node. The bus carries quotes from the node that has the
 * sources to all others. An installation of one process needs none of this.
 *
 * ## Invariants
 * - A node stops trusting a lease before another node can get it, and acts only under a lease that it trusts. Writes
 *   are also fenced by the lease's epoch, so a node that was stopped and wakes up cannot write.
 * - A command that is sent twice is carried out once: its receipt commits with it.
 * - Messages between nodes carry a seal of the master key.
 *
 * ## Limits
 * A node that dies is replaced after its leases have ended, a few seconds later.
 *
 * Start with `leases/lease-keeper.ts`, then `partitions/partition-owner.ts`.
 */

export { createSharedBus, type SharedBus } from "./bus/shared-bus.ts";
export {
  type Forwarding,
  openForwarding,
} from "./forwarding/open-forwarding.ts";
export type { ForwardedTraces } from "./forwarding/owner-desk.ts";
export { leaseJobs } from "./leases/lease-jobs.ts";
export { createLeaseKeeper, RENEW_EVERY_MS, RENEW_RETRY_MS } from "./leases/lease-keeper.ts";
export {
  createPartitionOwner,
  type OwnedPartitions,
  type PartitionOwner,
} from "./partitions/partition-owner.ts";
export { partitionShareOf } from "./partitions/rendezvous.ts";

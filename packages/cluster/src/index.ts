/**
 * # Cluster: what exists only because there may be more than one node
 *
 * Leases say which node does what; partitions say which node decides which accounts; commands for another node's
 * accounts are sent to it; the bus carries quotes from the node that has the sources to all others. One process alone
 * uses none of it.
 *
 * ## Invariants
 * - A node acts under a lease only while it trusts it, which ends before another node can have it. Writes are also
 *   fenced by the lease's epoch, so a node that was stopped and wakes up writes nothing.
 * - A command that is sent twice is carried out once: its receipt commits with it.
 * - Messages between nodes carry a seal of the master key.
 *
 * ## Limits
 * A node that dies is replaced after its leases have ended, a few seconds.
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
export { createLeaseKeeper, RENEW_AGAIN_MS, RENEW_EVERY_MS } from "./leases/lease-keeper.ts";
export {
  createPartitionOwner,
  type OwnedPartitions,
  type PartitionOwner,
} from "./partitions/partition-owner.ts";
export { shareOf } from "./partitions/rendezvous.ts";

import type { Stopwatch, Timer } from "@propgate/base";
import { createLeaseKeeper, leaseJobs } from "@propgate/cluster";
import type { Lease, LeaseStore } from "@propgate/ledger";
import { WEBHOOKS_LEASE } from "./lease-names.ts";
import type { NodeClock } from "./node-clock.ts";
import type { WebhookDelivery } from "./node-work.ts";

/** Lets one of several nodes deliver webhooks: the node that holds the lease `webhooks`. */
export function createLeasedDelivery(options: {
  readonly leases: LeaseStore;
  /** The id of this process. */
  readonly node: string;
  readonly nodeClock: Pick<NodeClock, "problem">;
  readonly steadyClock: Stopwatch;
  readonly timer: Timer;
}): WebhookDelivery {
  let held: Lease | null = null;
  let isStopped = false;
  /** Whether this node should have the lease. @rule D12.oneClock */
  const isWanted = (): boolean => !isStopped && options.nodeClock.problem() === null;
  const keeper = createLeaseKeeper({
    store: options.leases,
    owner: options.node,
    clock: options.steadyClock,
    timer: options.timer,
    wantedNames: () => (isWanted() ? [WEBHOOKS_LEASE] : []),
    onGained(lease) {
      held = lease;
    },
    onLost() {
      held = null;
    },
  });
  return {
    mayDeliver: () => isWanted() && held !== null && keeper.holds(held),
    jobs: leaseJobs("webhook lease", keeper),
    async stop() {
      isStopped = true;
      await keeper.releaseAll();
    },
  };
}

import type { Job, Stopwatch, Timer } from "@propgate/base";
import { createLeaseKeeper, leaseJobs } from "@propgate/cluster";
import type { Lease, LeaseStore } from "@propgate/ledger";
import type { NodeClock } from "./node-clock.ts";

/** The name of the lease of the node that delivers webhooks. */
const WEBHOOKS = "webhooks";

/** Whether this node delivers webhooks, among those that share the databases. */
export interface WebhookTurn {
  readonly mayDeliver: () => boolean;
  readonly jobs: readonly Job[];
  /** Lets another node deliver. */
  readonly stop: () => Promise<void>;
}

/** The turn of a process that has its databases for itself, and of a node that decides no accounts. */
export const ALWAYS: WebhookTurn = fixedTurn(true);
export const NEVER: WebhookTurn = fixedTurn(false);

function fixedTurn(mayDeliver: boolean): WebhookTurn {
  return { mayDeliver: () => mayDeliver, jobs: [], stop: async () => undefined };
}

export function createWebhookTurn(options: {
  readonly leases: LeaseStore;
  /** The id of this process. */
  readonly node: string;
  readonly nodeClock: Pick<NodeClock, "problem">;
  readonly steadyClock: Stopwatch;
  readonly timer: Timer;
}): WebhookTurn {
  let held: Lease | null = null;
  let isStopped = false;
  /** @rule D12.oneClock */
  const isWanted = (): boolean => !isStopped && options.nodeClock.problem() === null;
  const keeper = createLeaseKeeper({
    store: options.leases,
    owner: options.node,
    clock: options.steadyClock,
    timer: options.timer,
    wanted: () => (isWanted() ? [WEBHOOKS] : []),
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
      await keeper.release();
    },
  };
}

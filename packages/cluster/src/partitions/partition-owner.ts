import { createSerialQueue, type Stopwatch, type Timer } from "@propgate/base";
import type { AccountId } from "@propgate/core";
import {
  type Lease,
  type LeaseStore,
  type Ownership,
  partitionLease,
  partitionOf,
  type VersionedState,
} from "@propgate/ledger";
import { createLeaseKeeper } from "../leases/lease-keeper.ts";

export interface PartitionOwnerOptions<Account extends VersionedState> {
  readonly leases: LeaseStore;
  /** The id of this node. */
  readonly node: string;
  readonly steadyClock: Stopwatch;
  readonly timer: Timer;
  /** The partitions that this node should own. */
  readonly wantedPartitions: () => readonly number[];
  /** True while no quotes can arrive. Then no partition is taken over. */
  readonly isCut: () => boolean;
  /** The partition's accounts with open positions or pending orders, as committed. */
  readonly load: (partition: number) => Promise<readonly Account[]>;
  /** Prepares to watch these accounts, then calls `own` and watches the accounts that it returns. */
  readonly watch: (accounts: readonly Account[], own: () => readonly Account[]) => Promise<void>;
  /** Stops watching the accounts for which the function returns true. */
  readonly forget: (isForgotten: (account: AccountId) => boolean) => void;
  /** Resolves when the commands under way are answered. */
  readonly whenIdle: () => Promise<void>;
  readonly onFault: (cause: unknown) => void;
}

/** Figures on the partitions of this node. */
export interface OwnedPartitions {
  /** The number of partitions whose accounts this node decides. */
  readonly owned: number;
  /** The number of partitions whose lease this node has, and whose accounts it does not watch yet. */
  readonly takingOver: number;
  /**
   * Milliseconds since the last claim or renewal of a lease was sent, for the lease where that was longest ago. Null
   * without a lease.
   */
  readonly oldestRenewalMs: number | null;
  /** The number of batches that the database refused since the start, because another node had a lease. */
  readonly refusals: number;
}

/** Keeps the leases of this node's partitions. Only the node that owns a partition watches and decides its accounts. */
export interface PartitionOwner extends Ownership {
  /**
   * Gives up, claims and takes over partitions, so that this node gets those that it should own. Call it twice a
   * second, and more often while partitions move. Calls run one after another. Resolves to true when this node owns the
   * partitions that it should own and no others, and after `stop`.
   */
  reconcile(): Promise<boolean>;
  /** Renews the leases; call it every `RENEW_EVERY_MS`. */
  renew(): Promise<void>;
  /** Gives up all partitions when the commands under way are answered, or after `SETTLE_MAX_MS`. */
  stop(): Promise<void>;
  figures(): OwnedPartitions;
}

/**
 * The maximum time that a handover waits for the commands under way. A command that takes longer cannot be written,
 * because the lease then has another epoch.
 */
const SETTLE_MAX_MS = 1_000;
/** The number of partitions that are taken over together, so that the tape is read once for all of them. */
const TAKE_OVER_GROUP_MAX = 32;

interface Held {
  readonly partition: number;
  readonly lease: Lease;
  isOwned: boolean;
}

export function createPartitionOwner<Account extends VersionedState>(
  options: PartitionOwnerOptions<Account>,
): PartitionOwner {
  const held = new Map<number, Held>();
  const partitions = new Map<string, number>();
  /** Partitions that this node has lost, whose accounts it may still watch. */
  const lost = new Set<number>();
  let isStopped = false;
  let refusals = 0;

  const namesOf = (wanted: readonly number[]): readonly string[] =>
    wanted.map((partition) => {
      const name = partitionLease(partition);
      partitions.set(name, partition);
      return name;
    });
  const partitionNamed = (name: string): number => {
    const partition = partitions.get(name);
    if (partition === undefined) throw new Error(`no partition has the lease ${name}`);
    return partition;
  };
  const keeper = createLeaseKeeper({
    store: options.leases,
    owner: options.node,
    clock: options.steadyClock,
    timer: options.timer,
    wantedNames: () => (isStopped ? [] : namesOf(options.wantedPartitions())),
    onGained(lease) {
      const partition = partitionNamed(lease.name);
      held.set(partition, { partition, lease, isOwned: false });
    },
    onLost({ name }) {
      const partition = partitionNamed(name);
      held.delete(partition);
      lost.add(partition);
    },
    whenSettled: () => waitAtMost(options.whenIdle(), options.timer),
  });

  const forgetLost = (): void => {
    if (lost.size === 0) return;
    const forgotten = new Set(lost);
    lost.clear();
    options.forget((account) => forgotten.has(partitionOf(account)));
  };
  /** True while the node still has the lease with which it began to take over the partition. */
  const isStillHeld = (one: Held): boolean =>
    held.get(one.partition) === one && keeper.holds(one.lease);

  const takeOver = async (group: readonly Held[]): Promise<void> => {
    const accounts: Account[] = [];
    for (const { partition } of group) accounts.push(...(await options.load(partition)));
    await options.watch(accounts, () => {
      const kept = group.filter(isStillHeld);
      for (const one of kept) one.isOwned = true;
      const own = new Set(kept.map(({ partition }) => partition));
      return accounts.filter(({ state }) => own.has(partitionOf(state.accountId)));
    });
  };
  const takeOverGained = async (): Promise<void> => {
    const gained = [...held.values()].filter(({ isOwned }) => !isOwned);
    const faults: unknown[] = [];
    for (let from = 0; from < gained.length && !options.isCut(); from += TAKE_OVER_GROUP_MAX) {
      const group = gained.slice(from, from + TAKE_OVER_GROUP_MAX).filter(isStillHeld);
      // A group of partitions that cannot be loaded must not delay the other groups.
      await takeOver(group).catch((cause: unknown) => faults.push(cause));
    }
    if (faults.length > 0) throw faults[0];
  };

  const ownedCount = (): number => [...held.values()].filter(({ isOwned }) => isOwned).length;
  const turns = createSerialQueue();
  const followNow = async (): Promise<boolean> => {
    if (isStopped) return true;
    await keeper.releaseUnwanted();
    await keeper.claim();
    forgetLost();
    await takeOverGained();
    return ownedCount() === held.size && held.size === options.wantedPartitions().length;
  };

  return {
    leaseOf(account) {
      const one = held.get(partitionOf(account));
      return one?.isOwned === true && keeper.holds(one.lease) ? one.lease : null;
    },
    partitions: () =>
      [...held.values()]
        .filter((one) => one.isOwned && keeper.holds(one.lease))
        .map(({ partition }) => partition)
        .toSorted((one, other) => one - other),
    onStaleLeases() {
      refusals += 1;
      keeper.renew().catch(options.onFault);
    },
    reconcile: () => turns.run(followNow),
    renew: async () => (isStopped ? undefined : keeper.renew()),
    async stop() {
      isStopped = true;
      await keeper.releaseAll();
      forgetLost();
    },
    figures: () => ({
      owned: ownedCount(),
      takingOver: held.size - ownedCount(),
      oldestRenewalMs: keeper.oldestRenewalMs(),
      refusals,
    }),
  };
}

/** Resolves when the work has ended or failed, or after `SETTLE_MAX_MS`. */
function waitAtMost(work: Promise<void>, timer: Timer): Promise<void> {
  return new Promise((resolve) => {
    const cancel = timer.after(SETTLE_MAX_MS, resolve);
    const end = (): void => {
      cancel();
      resolve();
    };
    work.then(end, end);
  });
}

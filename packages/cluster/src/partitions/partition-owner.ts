import { createTurns, type Stopwatch, type Timer } from "@propgate/base";
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
  /** This node. */
  readonly node: string;
  readonly steadyClock: Stopwatch;
  readonly timer: Timer;
  /** The partitions that this node wants now. */
  readonly wanted: () => readonly number[];
  /** True while no quotes can arrive: then no partition is taken over. */
  readonly isCut: () => boolean;
  /** The partition's accounts with open positions or pending orders, as committed. */
  readonly load: (partition: number) => Promise<readonly Account[]>;
  /** Has these accounts watched: calls `own` when it can, and watches the accounts that `own` returns. */
  readonly watch: (accounts: readonly Account[], own: () => readonly Account[]) => Promise<void>;
  /** Watches these accounts no longer. */
  readonly forget: (isForgotten: (account: AccountId) => boolean) => void;
  /** Resolves when the commands under way are answered. */
  readonly idle: () => Promise<void>;
  readonly onFault: (cause: unknown) => void;
}

export interface OwnedPartitions {
  readonly owned: number;
  /** Leases whose accounts are not watched yet. */
  readonly takingOver: number;
  /** Milliseconds since the oldest renewal of a lease was sent; null without a lease. */
  readonly oldestRenewalMs: number | null;
  /** Batches that the database refused since the start, because another node had a lease. */
  readonly refusals: number;
}

/** Keeps the leases of this node's partitions, and has their accounts watched here and nowhere else. */
export interface PartitionOwner extends Ownership {
  /**
   * Gives up, claims and takes over what this node should hold; call it twice a second, and often while partitions
   * move. One run at a time. True when this node decides all that it should, and nothing else.
   */
  follow(): Promise<boolean>;
  /** Call it every `RENEW_EVERY_MS`. */
  renew(): Promise<void>;
  /** Gives up all partitions, when the commands under way are answered. */
  stop(): Promise<void>;
  figures(): OwnedPartitions;
}

/**
 * Max wait of a handover for the commands under way. Later commands write nothing, because the lease has another epoch
 * then.
 */
const SETTLE_MAX_MS = 1_000;
/** Partitions that are taken over together, so that the tape is read once for all. */
const TOGETHER = 32;

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
  /** Partitions whose accounts may still be watched. */
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
    wanted: () => (isStopped ? [] : namesOf(options.wanted())),
    onGained(lease) {
      const partition = partitionNamed(lease.name);
      held.set(partition, { partition, lease, isOwned: false });
    },
    onLost({ name }) {
      const partition = partitionNamed(name);
      held.delete(partition);
      lost.add(partition);
    },
    settled: () => withinTime(options.idle(), options.timer),
  });

  const forgetLost = (): void => {
    if (lost.size === 0) return;
    const forgotten = new Set(lost);
    lost.clear();
    options.forget((account) => forgotten.has(partitionOf(account)));
  };
  /** True while the node still has the lease with which it started to decide the partition. */
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
    for (let from = 0; from < gained.length && !options.isCut(); from += TOGETHER) {
      const group = gained.slice(from, from + TOGETHER).filter(isStillHeld);
      // A partition that cannot be loaded must not hold the others up.
      await takeOver(group).catch((cause: unknown) => faults.push(cause));
    }
    if (faults.length > 0) throw faults[0];
  };

  const ownedCount = (): number => [...held.values()].filter(({ isOwned }) => isOwned).length;
  const turns = createTurns();
  const followNow = async (): Promise<boolean> => {
    if (isStopped) return true;
    await keeper.giveUp();
    await keeper.claim();
    forgetLost();
    await takeOverGained();
    return ownedCount() === held.size && held.size === options.wanted().length;
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
    refused() {
      refusals += 1;
      keeper.renew().catch(options.onFault);
    },
    follow: () => turns.take(followNow),
    renew: async () => (isStopped ? undefined : keeper.renew()),
    async stop() {
      isStopped = true;
      await keeper.release();
      forgetLost();
    },
    figures: () => ({
      owned: ownedCount(),
      takingOver: held.size - ownedCount(),
      oldestRenewalMs: keeper.oldestMs(),
      refusals,
    }),
  };
}

/** Resolves with the work, or after `SETTLE_MAX_MS`. */
function withinTime(work: Promise<void>, timer: Timer): Promise<void> {
  return new Promise((resolve) => {
    const cancel = timer.after(SETTLE_MAX_MS, resolve);
    const end = (): void => {
      cancel();
      resolve();
    };
    work.then(end, end);
  });
}

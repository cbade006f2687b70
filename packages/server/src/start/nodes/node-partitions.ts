import {
  type Clock,
  delay,
  type Housekeeping,
  type Job,
  type Log,
  type Stopwatch,
  type Timer,
} from "@propgate/base";
import {
  createPartitionOwner,
  type OwnedPartitions,
  type PartitionOwner,
  partitionShareOf,
  RENEW_EVERY_MS,
  RENEW_RETRY_MS,
} from "@propgate/cluster";
import type { AccountId, Instruments } from "@propgate/core";
import {
  compareQuotePositions,
  createLeaseStore,
  type LeaseStore,
  type LedgerShard,
  type Ownership,
  type PerShard,
  perShard,
  type Shards,
  shardAt,
  shardNumberOf,
} from "@propgate/ledger";
import { createNodeStore, type NodeStore } from "../../storage/node-store.ts";
import type { Engine } from "../engine.ts";
import { jobName } from "../job-name.ts";
import { type TakeOverOptions, takeOver } from "../take-over.ts";
import type { NodeBus } from "./node-bus.ts";
import type { NodeClock } from "./node-clock.ts";
import type { NodeMembership } from "./node-membership.ts";
import { createShareDuty } from "./share-duty.ts";

const FOLLOW_EVERY_MS = 500;
const LIVE_NODES_EVERY_MS = 1_000;
/**
 * After another node has joined or left, this node tries for this long, every `TRY_EVERY_MS`, to move its partitions.
 */
const MOVING_MS = 3_000;
const TRY_EVERY_MS = 50;
/**
 * The longest time for which a take-over waits until this node has the quotes at which its accounts were last decided.
 */
const REACH_WAIT_MS = 2_000;

/** This node's share of the accounts, among the nodes of its databases. */
export interface NodePartitions {
  /** The accounts of each database that this node decides. */
  readonly ownerships: PerShard<Ownership>;
  /**
   * Announces to the other nodes whether this node decides accounts, and takes over those partitions of its share that
   * have no owner. It is called when the listeners are open. The jobs begin before the take-over, because the take-over
   * may last longer than a lease is trusted without a renewal.
   */
  start(housekeeping: Pick<Housekeeping, "start">): Promise<void>;
  /** True while this node can decide accounts, whether it owns some or not. */
  readonly decides: boolean;
  /** For each database, the figures of the partitions that this node owns or is taking over. */
  figures(): PerShard<OwnedPartitions>;
  /** Gives up the partitions, so that the other nodes can own them. */
  stop(): Promise<void>;
}

interface NodePartitionsOptions extends Omit<TakeOverOptions, "market"> {
  readonly bus: Pick<NodeBus["bus"], "isCut" | "problem">;
  /** The id of this process. */
  readonly node: string;
  /** True when this node's role is to decide accounts. */
  readonly isCandidate: boolean;
  readonly membership: Pick<
    NodeMembership,
    "claimWork" | "withdrawWork" | "leave" | "figuresOfOthers"
  >;
  /** The clock of this node. While it is wrong, this node decides no account and leaves its share to the others. */
  readonly nodeClock: Pick<NodeClock, "problem">;
  /** For each database, the store of the leases of its partitions. */
  readonly leases: PerShard<LeaseStore>;
  readonly nodes: Pick<NodeStore, "liveNodeIds">;
  readonly steadyClock: Stopwatch;
  readonly timer: Timer;
  /** Returns the engine of this node. It is called only after `start`. */
  readonly engine: () => Pick<Engine, "shards" | "market" | "barrier">;
  readonly log: Pick<Log, "info">;
}

export function openNodePartitions(
  options: Pick<
    NodePartitionsOptions,
    | "engine"
    | "tape"
    | "board"
    | "isCandidate"
    | "membership"
    | "nodeClock"
    | "steadyClock"
    | "timer"
  > & {
    readonly nodeBus: Pick<NodeBus, "bus" | "node">;
    readonly databases: Shards;
    readonly instruments: Instruments;
    readonly clock: Clock;
    readonly log: Log;
  },
): NodePartitions {
  const { nodeBus, databases, log } = options;
  return createNodePartitions({
    ...options,
    ...nodeBus,
    leases: perShard(databases.all, createLeaseStore),
    nodes: createNodeStore(databases.first),
    onFault: (cause) => log.error({ err: cause }, "partitions could not be taken over completely"),
  });
}

function createNodePartitions(options: NodePartitionsOptions): NodePartitions {
  const { log, membership, node, nodeClock, timer, isCandidate } = options;
  let isWorking = false;
  let share: readonly number[] = [];
  let living = "";
  const duty = createShareDuty({
    ...options,
    clockProblem: () => nodeClock.problem(),
    priceProblem: () => options.bus.problem(),
    doOthersDecide: () => membership.figuresOfOthers().some(({ decides }) => decides),
  });

  const updateWorkClaim = async (): Promise<void> => {
    const works = duty.ownsShare();
    if (works === isWorking) return;
    await (works ? membership.claimWork() : membership.withdrawWork());
    isWorking = works;
  };
  /** Reads which nodes are alive. Returns true when the list, and with it the shares, have changed. */
  const refreshLiveNodes = async (): Promise<boolean> => {
    const nodes = await options.nodes.liveNodeIds("engine");
    if (nodes.join() === living) return false;
    living = nodes.join();
    share = partitionShareOf(node, nodes);
    log.info({ nodes, partitions: share.length }, "the partitions are shared among these nodes");
    return true;
  };
  const owners = perShard(options.leases, (leases, number) =>
    ownerIn(number, { ...options, leases, wantedPartitions: () => share }),
  );
  /** Moves partitions as soon as other nodes give them up, because the orders of their accounts wait meanwhile. */
  const move = async (owner: PartitionOwner): Promise<void> => {
    const moved = living;
    // The attempts end after a time: a take-over may wait for quotes that were lost, and the start of this node must
    // not wait for such a take-over again and again.
    const endMs = options.steadyClock.nowMs() + MOVING_MS;
    while (moved === living && options.steadyClock.nowMs() < endMs) {
      if (await owner.reconcile()) return;
      await delay(timer, TRY_EVERY_MS);
    }
  };

  const jobs: readonly Job[] = [
    {
      name: "live nodes",
      everyMs: LIVE_NODES_EVERY_MS,
      retryMs: LIVE_NODES_EVERY_MS,
      async run() {
        await updateWorkClaim();
        if (!(await refreshLiveNodes())) return;
        // The moves are not awaited, so that the next check does not wait for them.
        for (const owner of owners) move(owner).catch(options.onFault);
      },
    },
    ...owners.flatMap((owner, number) => jobsOf(owner, number)),
  ];

  return {
    ownerships: perShard(owners, (owner) => whileClockIsRight(owner, nodeClock)),
    async start(housekeeping) {
      await updateWorkClaim();
      await refreshLiveNodes();
      housekeeping.start(jobs);
      if (share.length === 0) return;
      await Promise.all(owners.map(move));
    },
    get decides() {
      return isCandidate && duty.decides;
    },
    figures: () => perShard(owners, (owner) => owner.figures()),
    async stop() {
      await membership.leave();
      // All stops are attempted, so that a failing database does not keep the partitions of another one from their next
      // owner.
      const ends = await Promise.allSettled(owners.map((owner) => owner.stop()));
      for (const end of ends) if (end.status === "rejected") throw end.reason;
    },
  };
}

/**
 * The owner's accounts while this node's clock is right, and no account while the clock is wrong. @rule D12.oneClock
 */
function whileClockIsRight(owner: Ownership, { problem }: Pick<NodeClock, "problem">): Ownership {
  return {
    leaseOf: (account) => (problem() === null ? owner.leaseOf(account) : null),
    partitions: () => (problem() === null ? owner.partitions() : []),
    onStaleLeases: (leases) => owner.onStaleLeases(leases),
  };
}

function jobsOf(owner: PartitionOwner, database: number): readonly Job[] {
  return [
    {
      name: jobName("partitions", database),
      everyMs: FOLLOW_EVERY_MS,
      retryMs: FOLLOW_EVERY_MS,
      async run() {
        await owner.reconcile();
      },
    },
    {
      name: jobName("partition renewals", database),
      everyMs: RENEW_EVERY_MS,
      retryMs: RENEW_RETRY_MS,
      run: () => owner.renew(),
    },
  ];
}

/** Creates the owner of this node's partitions in one database. */
function ownerIn(
  database: number,
  options: Omit<NodePartitionsOptions, "leases"> & {
    readonly leases: LeaseStore;
    readonly wantedPartitions: () => readonly number[];
  },
): PartitionOwner {
  const { engine, log } = options;
  const part = (): LedgerShard => shardAt(engine().shards, database);
  const owner: PartitionOwner = createPartitionOwner({
    ...options,
    isCut: () => options.bus.isCut,
    load: (partition) => part().cache.loadExposed(partition),
    async watch(accounts, own) {
      const { market, barrier } = engine();
      // Waits until this node shows the newest quote at which one of the accounts was decided. Otherwise the orders
      // that these quotes trigger would be settled only at the next check of all prices.
      const last = accounts
        .toSorted((one, other) => compareQuotePositions(one.place, other.place))
        .at(-1);
      if (last !== undefined) {
        const decided = { place: last.place, lostEpoch: 0, isDecidedHere: false, pairs: () => [] };
        if (!barrier.allows(decided)) await barrier.wait(decided, REACH_WAIT_MS);
      }
      return takeOver(
        {
          ...options,
          market: {
            watchedVersion: (account) => market.watchedVersion(account),
            watchAccounts(_, onTape) {
              const owned = own();
              market.watchAccounts(owned, onTape);
              log.info({ database, accounts: owned.length }, "partitions were taken over");
            },
          },
        },
        accounts,
      );
    },
    forget(isForgotten) {
      // Partitions of other databases have the same numbers, so the account's database is compared too.
      const isOwn = (account: AccountId): boolean => shardNumberOf(account) === database;
      engine().market.forget((account) => isOwn(account) && isForgotten(account));
      log.info({ database, left: owner.partitions().length }, "partitions were given up or lost");
    },
    whenIdle: () => part().executor.idle(),
  });
  return owner;
}

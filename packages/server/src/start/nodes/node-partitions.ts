import type { Instruments, PairId } from "@propgate/core";
import type { Clock, Stopwatch, Timer } from "../../base/clock.ts";
import type { Job } from "../../base/housekeeping.ts";
import type { Log } from "../../base/log.ts";
import type { Database } from "../../storage/databases/database.ts";
import { RENEW_EVERY_MS } from "../../storage/leases/lease-keeper.ts";
import type { LeaseStore } from "../../storage/leases/lease-store.ts";
import { createLeaseStore } from "../../storage/leases/lease-store.ts";
import { laterPlace, NO_PLACE } from "../../storage/rows/quote-place.ts";
import { createNodeStore, type NodeStore } from "../../storage/stores/node-store.ts";
import type { Ownership } from "../../trading/ownership.ts";
import {
  createPartitionOwner,
  type OwnedPartitions,
} from "../../trading/partitions/partition-owner.ts";
import { shareOf } from "../../trading/partitions/rendezvous.ts";
import type { Engine } from "../engine.ts";
import { type TakeOverOptions, takeOver } from "../take-over.ts";
import type { NodeBus } from "./node-bus.ts";
import type { NodeMembership } from "./node-membership.ts";

const FOLLOW_EVERY_MS = 500;
const LOOK_EVERY_MS = 1_000;
/** A start waits so long for its first partitions. */
const FIRST_PARTITIONS_MS = 3_000;
const TRY_EVERY_MS = 50;
/** A take-over waits so long for the quotes that its accounts were decided at. */
const REACH_WAIT_MS = 2_000;

/** This node's share of the accounts, among the nodes of its database. */
export interface NodePartitions {
  readonly ownership: Ownership;
  /** Lets the other nodes see what this node does, and takes over the partitions without an owner. */
  start(): Promise<void>;
  readonly jobs: readonly Job[];
  figures(): OwnedPartitions;
  /** Lets the other nodes have the partitions. */
  stop(): Promise<void>;
}

interface NodePartitionsOptions extends Omit<TakeOverOptions, "market"> {
  readonly bus: Pick<NodeBus["bus"], "isCut">;
  /** The id of this process. */
  readonly node: string;
  readonly membership: Pick<NodeMembership, "beginWork" | "leave">;
  readonly leases: LeaseStore;
  readonly nodes: Pick<NodeStore, "living">;
  readonly steadyClock: Stopwatch;
  readonly timer: Timer;
  /** Called only after `start`. */
  readonly engine: () => Pick<Engine, "cache" | "market" | "executor" | "reach">;
  readonly log: Pick<Log, "info">;
}

/** Null without NATS: then this process decides every account. */
export function openNodePartitions(
  options: Pick<
    NodePartitionsOptions,
    "engine" | "tape" | "membership" | "steadyClock" | "timer"
  > & {
    readonly nodeBus: Pick<NodeBus, "bus" | "node"> | null;
    readonly database: Database;
    readonly instruments: Instruments;
    readonly clock: Clock;
    readonly log: Log;
  },
): NodePartitions | null {
  const { nodeBus, database, log } = options;
  if (nodeBus === null) return null;
  return createNodePartitions({
    ...options,
    ...nodeBus,
    leases: createLeaseStore(database),
    nodes: createNodeStore(database),
    onFault: (cause) => log.error({ err: cause }, "partitions could not be taken over completely"),
  });
}

function createNodePartitions(options: NodePartitionsOptions): NodePartitions {
  const { engine, log, membership, node, timer } = options;
  let share: readonly number[] = [];
  let living = "";

  const look = async (): Promise<void> => {
    const nodes = await options.nodes.living("engine");
    if (nodes.join() === living) return;
    living = nodes.join();
    share = shareOf(node, nodes);
    log.info({ nodes, partitions: share.length }, "the partitions are shared among these nodes");
  };
  const owner = createPartitionOwner({
    ...options,
    wanted: () => share,
    isCut: () => options.bus.isCut,
    load: (partition) => engine().cache.loadExposed(partition),
    async watch(accounts, own) {
      const { market, reach } = engine();
      // Else what these quotes trigger would be settled only after the next second.
      const place = accounts.map((account) => account.place).reduce(laterPlace, NO_PLACE);
      const decided = { place, pairs: new Set<PairId>() };
      if (!reach.has(decided)) await reach.wait(decided, REACH_WAIT_MS);
      return takeOver(
        {
          ...options,
          market: {
            watched: (account) => market.watched(account),
            takeOver(_, onTape) {
              const owned = own();
              market.takeOver(owned, onTape);
              log.info({ accounts: owned.length }, "partitions were taken over");
            },
          },
        },
        accounts,
      );
    },
    forget(isForgotten) {
      engine().market.forget(isForgotten);
      log.info({ left: owner.partitions().length }, "partitions were given up or lost");
    },
    idle: () => engine().executor.idle(),
  });
  const isComplete = (): boolean => {
    const { owned, takingOver } = owner.figures();
    return owned > 0 && takingOver === 0;
  };

  return {
    ownership: owner,
    async start() {
      await membership.beginWork();
      await look();
      if (share.length === 0) return;
      for (let ms = 0; ms < FIRST_PARTITIONS_MS; ms += TRY_EVERY_MS) {
        await owner.follow();
        if (isComplete()) return;
        await new Promise<void>((resolve) => timer.after(TRY_EVERY_MS, resolve));
      }
    },
    jobs: [
      { name: "live nodes", everyMs: LOOK_EVERY_MS, run: look },
      { name: "partitions", everyMs: FOLLOW_EVERY_MS, run: () => owner.follow() },
      { name: "partition renewals", everyMs: RENEW_EVERY_MS, run: () => owner.renew() },
    ],
    figures: () => owner.figures(),
    async stop() {
      await membership.leave();
      await owner.stop();
    },
  };
}

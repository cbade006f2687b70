import type { Clock, Stopwatch, Timer } from "../../base/clock.ts";
import type { Log } from "../../base/log.ts";
import type { Chance } from "../../base/random.ts";
import { createDroppedMessages } from "../../base/transport/dropped-messages.ts";
import { createMessageSeal } from "../../base/transport/message-seal.ts";
import type { Transport } from "../../base/transport/transport.ts";
import type { LeaseStore } from "../../storage/leases/lease-store.ts";
import { asOne, type PerShard, perShard } from "../../storage/shards/per-shard.ts";
import type { Executor } from "../executor-port.ts";
import type { Ownership } from "../ownership.ts";
import { shardedPartitionOwners } from "../shards/sharded-partition-owners.ts";
import type { StateCache } from "../state-cache.ts";
import type { AnsweredBefore } from "./answered-before.ts";
import { createOwnCommands } from "./own-commands.ts";
import { openOwnerDesk, type PassedTraces } from "./owner-desk.ts";
import { openOwnerLine } from "./owner-line.ts";
import { createPartitionOwners } from "./partition-owners.ts";
import { createPassingExecutor } from "./passing-executor.ts";
import type { PassingFigures } from "./passing-figures.ts";
import type { Rejection } from "./passing-message.ts";

/** The node, its connection and its share of the accounts, for passing commands. */
export interface PassingOptions {
  readonly transport: Transport;
  /** The id of the database, in every subject and message. */
  readonly installation: string;
  /** This process. */
  readonly node: string;
  /** Seals messages; one for each master key. */
  readonly sealKeys: readonly Uint8Array[];
  readonly ownership: Pick<Ownership, "leaseOf">;
  /** One for each database. */
  readonly leases: PerShard<Pick<LeaseStore, "ownersOf">>;
  readonly steadyClock: Stopwatch;
  readonly timer: Timer;
  /** Draws the ids of passed commands that have no nonce. */
  readonly chance: Pick<Chance, "uuid">;
  /** A command is given up after so long. */
  readonly timeoutMs: number;
  readonly traces?: PassedTraces | undefined;
  readonly log: Pick<Log, "warn">;
}

export interface Passing {
  /** Carries out the commands of all accounts, here or by their owners. */
  readonly executor: Executor;
  readonly figures: () => PassingFigures;
}

/** Passes commands to the owners of their accounts, and carries out those that others pass to this node. */
export function openPassing(
  options: PassingOptions & {
    readonly local: Executor;
    readonly cache: StateCache;
    readonly clock: Clock;
    readonly answeredBefore: AnsweredBefore;
    readonly onFault: (cause: unknown) => void;
  },
): Passing {
  const dropped = createDroppedMessages<Rejection>({
    clock: options.steadyClock,
    log: options.log,
    text: "passed commands or their answers were dropped",
  });
  const parts = { ...options, dropped, seal: createMessageSeal(options.sealKeys) };
  const own = createOwnCommands(options);
  openOwnerDesk({ ...parts, own });
  const executor = createPassingExecutor({
    ...options,
    own,
    clock: options.steadyClock,
    owners: asOne(
      perShard(options.leases, (leases) =>
        createPartitionOwners({ ...options, leases, clock: options.steadyClock }),
      ),
      shardedPartitionOwners,
    ),
    line: openOwnerLine(parts),
  });
  return {
    executor,
    figures: () => {
      const { passed, waiting, late } = executor.figures;
      return { passed, waiting, late, dropped: dropped.counts() };
    },
  };
}

import {
  type Chance,
  type Clock,
  createDroppedMessages,
  createMessageSeal,
  type Log,
  type Stopwatch,
  type Timer,
  type Transport,
} from "@propgate/base";
import { type LeaseStore, type PerShard, perShard } from "@propgate/ledger";
import { createShardedPartitionDirectory } from "../partitions/sharded-partition-directory.ts";
import type { ForwardDropReason } from "./forward-message.ts";
import { createForwarder, type Forwarder } from "./forwarder.ts";
import type { ForwardingFigures } from "./forwarding-figures.ts";
import { openOwnerClient } from "./owner-client.ts";
import { type ForwardedTraces, type OwnerDeskOptions, openOwnerDesk } from "./owner-desk.ts";
import { createPartitionDirectory } from "./partition-directory.ts";

export interface ForwardingOptions {
  readonly transport: Transport;
  /** The id of the installation, from its database. It is in every subject and message. */
  readonly installation: string;
  /** The id of this node. */
  readonly node: string;
  /** The keys that seal messages, one for each master key. */
  readonly sealKeys: readonly Uint8Array[];
  /** The leases of the partitions: one store for each database. */
  readonly leases: PerShard<Pick<LeaseStore, "ownersOf">>;
  readonly steadyClock: Stopwatch;
  readonly timer: Timer;
  /** Draws the ids of forwarded commands that have no nonce. */
  readonly chance: Pick<Chance, "uuid">;
  /** Time after which a command is given up. */
  readonly timeoutMs: number;
  readonly traces?: ForwardedTraces | undefined;
  readonly log: Pick<Log, "warn">;
}

/** The forwarding of this node, in both directions. */
export interface Forwarding extends Pick<Forwarder, "begin"> {
  readonly figures: () => ForwardingFigures;
  /** Begins to carry out the commands that other nodes forward to this one. */
  serve(owner: Pick<OwnerDeskOptions, "local" | "ownership" | "cache">): void;
}

/** Forwards commands to the nodes that own their accounts, and carries out the commands that come from other nodes. */
export function openForwarding(
  options: ForwardingOptions & {
    readonly clock: Clock;
    readonly onFault: (cause: unknown) => void;
  },
): Forwarding {
  const dropped = createDroppedMessages<ForwardDropReason>({
    clock: options.steadyClock,
    log: options.log,
    text: "forwarded commands or their answers were dropped",
  });
  const parts = { ...options, dropped, seal: createMessageSeal(options.sealKeys) };
  const owners = perShard(options.leases, (leases) =>
    createPartitionDirectory({ ...options, leases, clock: options.steadyClock }),
  );
  const { begin, figures } = createForwarder({
    ...options,
    clock: options.steadyClock,
    owners: createShardedPartitionDirectory(owners),
    ownerClient: openOwnerClient(parts),
  });
  return {
    begin,
    serve: (owner) => openOwnerDesk({ ...parts, ...owner }),
    figures: () => {
      const { forwarded, waiting, lateAnswers } = figures;
      return { forwarded, waiting, lateAnswers, dropped: dropped.counts() };
    },
  };
}

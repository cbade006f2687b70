import {
  type Log,
  type Settings,
  systemChance,
  systemStopwatch,
  systemTimer,
} from "@propgate/base";
import { createLeaseStore, perShard, type Shards } from "@propgate/ledger";
import type { EngineOptions } from "../engine.ts";
import type { Tracing } from "../tracing/open-tracing.ts";
import type { NodeBus } from "./node-bus.ts";

const MS_PER_SECOND = 1_000;

/** How this node forwards commands to the owners of their accounts; undefined without NATS. */
export function nodeForwarding(options: {
  readonly nodeBus: NodeBus | null;
  readonly databases: Shards;
  readonly settings: Pick<Settings, "networkTimeoutSeconds">;
  readonly tracing: Pick<Tracing, "forwarded"> | null;
  readonly log: Log;
}): EngineOptions["forwarding"] {
  const { nodeBus, databases, settings, log } = options;
  if (nodeBus === null) return undefined;
  const { transport, installation, node, sealKeys } = nodeBus;
  return {
    transport,
    installation,
    node,
    sealKeys,
    leases: perShard(databases.all, createLeaseStore),
    steadyClock: systemStopwatch,
    timer: systemTimer,
    chance: systemChance,
    timeoutMs: settings.networkTimeoutSeconds * MS_PER_SECOND,
    traces: options.tracing?.forwarded,
    log,
  };
}

import {
  type Log,
  type Settings,
  systemChance,
  systemStopwatch,
  systemTimer,
} from "@propgate/base";
import { openForwarding } from "@propgate/cluster";
import { createLeaseStore, perShard, type Shards } from "@propgate/ledger";
import type { EngineOptions } from "../engine.ts";
import type { Tracing } from "../tracing/open-tracing.ts";
import type { NodeBus } from "./node-bus.ts";

const MS_PER_SECOND = 1_000;

/** Returns the function with which the engine opens the forwarding of commands to the owners of their accounts. */
export function createForwardingOpener(options: {
  readonly nodeBus: NodeBus;
  readonly databases: Shards;
  readonly settings: Pick<Settings, "networkTimeoutSeconds">;
  readonly tracing: Pick<Tracing, "forwarded"> | null;
  readonly log: Log;
}): NonNullable<EngineOptions["openForwarding"]> {
  const { nodeBus, databases, settings, log } = options;
  const { transport, installation, node, sealKeys } = nodeBus;
  const known = {
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
  return (within) => openForwarding({ ...known, ...within });
}

import { CannotStart } from "../../base/cannot-start.ts";
import type { Timer } from "../../base/clock.ts";
import type { Job } from "../../base/housekeeping.ts";
import type { Chance } from "../../base/random.ts";
import type { Database } from "../../storage/databases/database.ts";
import type { NodeConfiguration } from "../../storage/rows/node-configuration.ts";
import { ALIVE_FOR_MS, createNodeStore, type KnownNode } from "../../storage/stores/node-store.ts";
import { differences } from "./node-configuration.ts";

/** This node's membership among the nodes of its database. */
export interface NodeMembership {
  readonly nodeId: string;
  /** Reports that the node is alive. Fails while another node runs with a different configuration. */
  readonly heartbeat: Job;
  /** Why the node must not serve: it was stopped while a different node started. Null when it may serve. */
  problem(): string | null;
  leave(): Promise<void>;
}

const HEARTBEAT_MS = 2_000;
const LOOK_EVERY_MS = 500;
const FIX =
  "Start it with the same release and catalogue. To change one of them on all nodes, stop every node first, then start them with the new one.";

/** The embedded database belongs to one process, so there are no other nodes. */
const ALONE: Omit<NodeMembership, "nodeId"> = {
  heartbeat: { name: "heartbeat", everyMs: HEARTBEAT_MS, run: async () => undefined },
  problem: () => null,
  leave: async () => undefined,
};

/**
 * Joins the node. Waits for a killed node with a different configuration until it counts as dead.
 * @throws CannotStart when a node that is alive runs with another release or catalogue
 */
export async function joinNodes(options: {
  readonly database: Database;
  readonly configuration: NodeConfiguration;
  readonly chance: Chance;
  readonly timer: Timer;
}): Promise<NodeMembership> {
  const { database, configuration } = options;
  const nodeId = options.chance.uuid();
  if (database.kind === "pglite") return { ...ALONE, nodeId };
  const store = createNodeStore(database);
  const me = { nodeId, ...configuration };
  const differs = (other: KnownNode): boolean => differences(configuration, other).length > 0;
  const join = (): Promise<KnownNode | null> => store.join(me, differs);

  const seen = new Map<string, number>();
  for (let waitedMs = 0; ; waitedMs += LOOK_EVERY_MS) {
    const different = await join();
    if (different === null) break;
    const before = seen.get(different.nodeId);
    const isAlive = before !== undefined && before !== different.seenAtMs;
    if (isAlive || waitedMs > ALIVE_FOR_MS) throw differing(configuration, different);
    seen.set(different.nodeId, before ?? different.seenAtMs);
    await new Promise<void>((resolve) => options.timer.after(LOOK_EVERY_MS, resolve));
  }

  let problem: string | null = null;
  return {
    nodeId,
    problem: () => problem,
    leave: () => store.leave(me.nodeId),
    heartbeat: {
      name: "heartbeat",
      everyMs: HEARTBEAT_MS,
      async run() {
        if (await store.beat(me.nodeId)) return;
        const different = await join();
        problem = different === null ? null : "another node runs with a different configuration";
        if (different !== null) throw differing(configuration, different);
      },
    },
  };
}

function differing(mine: NodeConfiguration, theirs: NodeConfiguration): CannotStart {
  const what = differences(mine, theirs).join(" and ");
  return new CannotStart(
    `Another node on this database runs with a different configuration: ${what}`,
    {
      fix: FIX,
    },
  );
}

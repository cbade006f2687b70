import {
  CannotStart,
  type Chance,
  delay,
  type Job,
  type ProcessRole,
  type Timer,
} from "@propgate/base";
import { type Database, hasEndedHere, ownProcessIdentity } from "@propgate/ledger";
import type { NodeConfiguration } from "../../storage/node-configuration.ts";
import type { NodeFigures } from "../../storage/node-figures.ts";
import {
  ALIVE_FOR_MS,
  createNodeStore,
  type KnownNode,
  type NodeRole,
} from "../../storage/node-store.ts";
import { configurationDifferences } from "./node-configuration.ts";

/** This node among the nodes of its database: it shows them that it is alive and which work it claims. */
export interface NodeMembership {
  readonly nodeId: string;
  /** The job that reports that the node is alive. It fails while another node runs with a different configuration. */
  readonly heartbeat: Job;
  /** Shows the other nodes the work that this node claims, so that they leave this node its share. */
  claimWork(): Promise<void>;
  /** Withdraws the claim, so that the other nodes take the share, until `claimWork` is called again. */
  withdrawWork(): Promise<void>;
  /** From this call on, sends these figures with each heartbeat. */
  report(figures: () => NodeFigures): void;
  /** The figures of the other nodes at the last heartbeat; empty without other nodes. */
  figuresOfOthers(): readonly NodeFigures[];
  /**
   * The reason why the node must not serve: it was stopped, and meanwhile a different node started. Null when it may
   * serve.
   */
  problem(): string | null;
  leave(): Promise<void>;
}

const HEARTBEAT_MS = 2_000;
/** A heartbeat that failed is sent again after this time, which is before the node counts as dead. */
const HEARTBEAT_AGAIN_MS = 1_000;
const LOOK_EVERY_MS = 500;
const ONE_PROCESS =
  "Stop the other process, or set PROPGATE_NATS_URL on every node, so that they act as one.";
const FIX =
  "Start it with the same release and catalogue. To change one of them on all nodes, stop every node first, then start them with the new one.";

/**
 * The roles that a process with this setting claims among the nodes: to decide accounts (`engine`), to make prices
 * (`feed`), both or none.
 */
export function rolesOf(role: ProcessRole): readonly NodeRole[] {
  const roles: Readonly<Record<ProcessRole, readonly NodeRole[]>> = {
    all: ["engine", "feed"],
    api: [],
    engine: ["engine"],
    feed: ["feed"],
  };
  return roles[role];
}

/** The membership of a process with the embedded database, which has no other nodes. */
const ALONE: Omit<NodeMembership, "nodeId"> = {
  heartbeat: { name: "heartbeat", everyMs: HEARTBEAT_MS, run: async () => undefined },
  report: () => undefined,
  figuresOfOthers: () => [],
  problem: () => null,
  claimWork: async () => undefined,
  withdrawWork: async () => undefined,
  leave: async () => undefined,
};

/**
 * Joins the nodes of the database. When a node that must not run beside this one may have been killed, the call waits
 * until that node counts as dead.
 * @throws CannotStart when a node that is alive runs with another release or catalogue, or one of the two has no bus
 */
export async function joinNodes(options: {
  /** The roles that this node claims when `claimWork` is called. */
  readonly roles: readonly NodeRole[];
  /** True when this node shares a bus with the others. */
  readonly hasBus: boolean;
  readonly database: Database;
  readonly configuration: NodeConfiguration;
  readonly chance: Chance;
  readonly timer: Timer;
}): Promise<NodeMembership> {
  const { database, configuration } = options;
  const nodeId = options.chance.uuid();
  if (database.kind === "pglite") return { ...ALONE, nodeId };
  const store = createNodeStore(database);
  const { hasBus } = options;
  // The node claims no role before `claimWork`, because a node that is starting cannot work yet.
  let roles: readonly NodeRole[] = [];
  const me = { nodeId, hasBus, process: ownProcessIdentity(), ...configuration };
  const differs = (other: KnownNode): boolean =>
    !hasBus || !other.hasBus || configurationDifferences(configuration, other).length > 0;
  // A killed process of this machine is replaced immediately, a process of another machine when its heartbeats have
  // stopped.
  const hasEnded = (other: KnownNode): boolean => hasEndedHere(other.process);
  const join = (): Promise<KnownNode | null> => store.join({ ...me, roles }, { differs, hasEnded });

  const seen = new Map<string, number>();
  for (let waitedMs = 0; ; waitedMs += LOOK_EVERY_MS) {
    const different = await join();
    if (different === null) break;
    const before = seen.get(different.nodeId);
    const isAlive = before !== undefined && before !== different.seenAtMs;
    if (isAlive || waitedMs > ALIVE_FOR_MS) throw refusedBeside(me, different);
    seen.set(different.nodeId, before ?? different.seenAtMs);
    await delay(options.timer, LOOK_EVERY_MS);
  }

  let problem: string | null = null;
  let own: (() => NodeFigures) | null = null;
  let others: readonly NodeFigures[] = [];
  let hasLeft = false;
  /**
   * Sends a heartbeat, and exchanges figures with the other nodes if there is a bus. False when the database has no row
   * of this node.
   */
  const beat = async (): Promise<boolean> => {
    const isKnown = await store.recordHeartbeat(nodeId, hasBus ? (own?.() ?? null) : null);
    if (isKnown && hasBus) others = await store.figuresOfOthers(nodeId);
    return isKnown;
  };
  return {
    nodeId,
    report(figures) {
      own = figures;
    },
    figuresOfOthers: () => others,
    problem: () => problem,
    async claimWork() {
      ({ roles } = options);
      await store.setRoles(nodeId, roles);
    },
    async withdrawWork() {
      roles = [];
      await store.setRoles(nodeId, roles);
    },
    async leave() {
      hasLeft = true;
      await store.leave(me.nodeId);
    },
    heartbeat: {
      name: "heartbeat",
      everyMs: HEARTBEAT_MS,
      retryMs: HEARTBEAT_AGAIN_MS,
      async run() {
        if (hasLeft || (await beat()) || hasLeft) return;
        const different = await join();
        problem = different === null ? null : problemBeside(me, different);
        if (different !== null) throw refusedBeside(me, different);
      },
    },
  };
}

type Me = Omit<KnownNode, "roles" | "seenAtMs">;

function problemBeside(me: Me, { hasBus }: KnownNode): string {
  return me.hasBus && hasBus
    ? "another node runs with a different configuration"
    : "another process serves the database";
}

function refusedBeside(me: Me, other: KnownNode): CannotStart {
  if (me.hasBus && other.hasBus) {
    const what = configurationDifferences(me, other).join(" and ");
    return new CannotStart(
      `Another node on this database runs with a different configuration: ${what}`,
      { fix: FIX },
    );
  }
  if (!me.hasBus && !other.hasBus) {
    return new CannotStart("Another process serves this database, and neither has NATS", {
      fix: ONE_PROCESS,
    });
  }
  const which = me.hasBus
    ? "without PROPGATE_NATS_URL"
    : "with PROPGATE_NATS_URL, this one without";
  return new CannotStart(`Another process serves this database ${which}`, { fix: ONE_PROCESS });
}

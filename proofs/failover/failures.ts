import { setTimeout } from "node:timers/promises";
import type { SmallDisk } from "../faults/small-disk.ts";
import type { BusCluster } from "./bus-cluster.ts";
import type { DatabasePair } from "./database-pair.ts";
import { untilTrue } from "./database-pair.ts";
import type { ServiceGroup } from "./service-group.ts";
import type { TcpSwitchState } from "./tcp-switch.ts";

/** The installation on which a failure acts, and how long it lasts. */
export interface FailureContext {
  readonly pair: DatabasePair;
  readonly bus: BusCluster;
  readonly nodes: ServiceGroup;
  readonly nodeCount: number;
  /** The disk of the NATS logs; null when this machine allows no mounts. */
  readonly busDisk: SmallDisk | null;
  /** How long a stopped node stays stopped. */
  readonly stopMs: number;
  /**
   * How long servers of NATS are stopped and the disk of their logs is full. Cut or held connections and a stopped
   * standby last from this time up to twice as long.
   */
  readonly holdMs: number;
  /** Draws an integer of at least 0 and below the limit. */
  readonly below: (limit: number) => number;
}

/** The result of a failure, for its measurement and repair. */
export interface FailureOutcome {
  /**
   * The time from the loss of the primary until the standby is promoted and the service's address leads to it. Null
   * when no primary was lost.
   */
  readonly promotionMs: number | null;
  /**
   * Repairs what the failure left, such as the missing standby. The repair runs after the clients had time to recover,
   * because the service must work again without it.
   */
  readonly repair?: () => Promise<void>;
  readonly stopped?: StoppedNode;
}

/** A node that was stopped with SIGSTOP and continued. */
export interface StoppedNode {
  readonly node: number;
  /** The accounts that the node decided when it was stopped. */
  readonly accounts: ReadonlySet<string>;
}

/** A kind of failure, and the function that causes it. */
export interface Failure {
  readonly name: string;
  /** True when the failure fills the disk of the NATS logs. */
  readonly needsDisk?: true;
  readonly cause: (around: FailureContext) => Promise<FailureOutcome>;
}

/** The longest time after which the operator of the servers notices that the primary is lost. */
const NOTICE_MAX_MS = 3_000;
const FORMER_ALIVE_MS = 1_000;
const NO_PROMOTION: FailureOutcome = { promotionMs: null };

const PRIMARY_KILLED: Failure = {
  name: "primary killed",
  cause: (around) => losePrimary(around, { lose: () => around.pair.killPrimary(), isEarly: false }),
};

const ADDRESS_SWITCHED_EARLY: Failure = {
  name: "primary killed, address switched before the promotion",
  cause: (around) => losePrimary(around, { lose: () => around.pair.killPrimary(), isEarly: true }),
};

const PRIMARY_STOPPED: Failure = {
  name: "primary stopped, and continued after the promotion",
  cause: (around) =>
    losePrimary(around, { lose: async () => around.pair.pausePrimary(), isEarly: false }),
};

async function losePrimary(
  { pair, nodes, below }: FailureContext,
  how: { readonly lose: () => Promise<void>; readonly isEarly: boolean },
): Promise<FailureOutcome> {
  const lostMs = performance.now();
  await how.lose();
  // Until the standby is promoted, the nodes reach it: it answers reads and rejects writes.
  if (how.isEarly) nodes.setDatabase(pair.standbyPort);
  await setTimeout(below(NOTICE_MAX_MS));
  await pair.promote();
  if (!how.isEarly) nodes.setDatabase(pair.primaryPort);
  const promotionMs = performance.now() - lostMs;
  return {
    promotionMs,
    async repair() {
      await pair.endFormer(FORMER_ALIVE_MS);
      await pair.addStandby();
    },
  };
}

const STANDBY_STOPPED: Failure = {
  name: "standby stopped, so commits wait",
  async cause(around) {
    const { pair } = around;
    pair.pauseStandby();
    await setTimeout(drawHoldMs(around));
    pair.resumeStandby();
    return NO_PROMOTION;
  },
};

const NODE_KILLED: Failure = {
  name: "node killed",
  async cause(around) {
    const { nodes } = around;
    const feed = await nodes.feed();
    const node = drawNode(around, feed);
    await nodes.kill(node);
    return { promotionMs: null, repair: () => nodes.start(node) };
  },
};

const FEED_KILLED: Failure = {
  name: "feed killed",
  async cause({ nodes }) {
    const feed = await feedNodeOf(nodes);
    await nodes.kill(feed);
    return { promotionMs: null, repair: () => nodes.start(feed) };
  },
};

const NODE_STOPPED: Failure = {
  name: "node stopped and continued",
  async cause(around) {
    const { nodes, stopMs } = around;
    const node = drawNode(around, null);
    const accounts = await nodes.accountsOf(node);
    nodes.pause(node);
    await setTimeout(stopMs);
    nodes.resume(node);
    return { promotionMs: null, stopped: { node, accounts } };
  },
};

const LINK_FAILURES: readonly Failure[] = [
  linkFailure("a node's connections to the database cut", "database", "cut"),
  linkFailure("a node's connections to the database held", "database", "held"),
  linkFailure("a node's connections to NATS cut", "bus", "cut"),
  linkFailure("a node's connections to NATS held", "bus", "held"),
];

function linkFailure(name: string, to: "database" | "bus", state: "cut" | "held"): Failure {
  return {
    name,
    async cause(around) {
      const { nodes } = around;
      const node = drawNode(around, null);
      const set = (link: TcpSwitchState): void =>
        to === "database" ? nodes.setDatabaseLink(node, link) : nodes.setBusLinks(node, link);
      set(state);
      await setTimeout(drawHoldMs(around));
      set("open");
      return NO_PROMOTION;
    },
  };
}

const ONE_BUS_SERVER: Failure = {
  name: "one NATS server killed",
  cause: (around) => loseBusServers(around, 1),
};

const TWO_BUS_SERVERS: Failure = {
  name: "two NATS servers killed",
  cause: (around) => loseBusServers(around, 2),
};

/** Kills servers of NATS. They start again in `repair`, so the clients must recover without them. */
async function loseBusServers(
  { bus, holdMs, below }: FailureContext,
  count: number,
): Promise<FailureOutcome> {
  const first = below(bus.ports.length);
  const lost = Array.from({ length: count }, (_, index) => (first + index) % bus.ports.length);
  for (const server of lost) await bus.kill(server);
  await setTimeout(holdMs);
  return {
    promotionMs: null,
    async repair() {
      for (const server of lost) await bus.start(server);
    },
  };
}

const BUS_DISK_FULL: Failure = {
  name: "full disk of NATS",
  needsDisk: true,
  async cause(around) {
    const { busDisk, nodes, holdMs } = around;
    busDisk?.fill();
    // This node connects again while NATS cannot write a line of its log.
    const node = drawNode(around, null);
    nodes.setBusLinks(node, "cut");
    nodes.setBusLinks(node, "open");
    await setTimeout(holdMs);
    busDisk?.free();
    return NO_PROMOTION;
  },
};

/** Every kind of failure that the proof causes. */
export const FAILURES: readonly Failure[] = [
  PRIMARY_KILLED,
  ADDRESS_SWITCHED_EARLY,
  PRIMARY_STOPPED,
  STANDBY_STOPPED,
  NODE_KILLED,
  FEED_KILLED,
  NODE_STOPPED,
  ...LINK_FAILURES,
  ONE_BUS_SERVER,
  TWO_BUS_SERVERS,
  BUS_DISK_FULL,
];

async function feedNodeOf(nodes: ServiceGroup): Promise<number> {
  let found: number | null = null;
  await untilTrue(async () => {
    found = await nodes.feed();
    return found !== null;
  });
  return found ?? 0;
}

/** Draws a duration of at least `holdMs` and below twice as much. */
function drawHoldMs({ holdMs, below }: FailureContext): number {
  return holdMs + below(holdMs);
}

/** Draws a node other than `except`. */
function drawNode({ nodeCount, below }: FailureContext, except: number | null): number {
  const node = below(nodeCount);
  return node === except ? (node + 1) % nodeCount : node;
}

import { setTimeout } from "node:timers/promises";
import type { SmallDisk } from "../faults/small-disk.ts";
import type { BusCluster } from "./bus-cluster.ts";
import type { DatabasePair } from "./database-pair.ts";
import { untilTrue } from "./database-pair.ts";
import type { ServiceGroup } from "./service-group.ts";
import type { SwitchState } from "./tcp-switch.ts";

/** Everything that can fail. */
export interface Surroundings {
  readonly pair: DatabasePair;
  readonly bus: BusCluster;
  readonly nodes: ServiceGroup;
  readonly nodeCount: number;
  /** The disk of the logs of NATS; null when this machine allows no mounts. */
  readonly busDisk: SmallDisk | null;
  /** How long a node stays stopped. */
  readonly stopMs: number;
  /** How long the other failures last, at least; connections and the standby up to twice as long. */
  readonly holdMs: number;
  /** An integer of at least 0 and below the limit. */
  readonly below: (limit: number) => number;
}

/** The result of a failure. */
export interface Happened {
  /** From the loss of the primary until the new one takes writes at the service's address; null without a loss. */
  readonly promotionMs: number | null;
  /**
   * Repairs the rest after the service works again, such as a new standby, because the service must recover without it.
   */
  readonly repair?: () => Promise<void>;
  readonly stopped?: StoppedNode;
}

export interface StoppedNode {
  readonly node: number;
  /** The accounts that it decided when it was stopped. */
  readonly accounts: ReadonlySet<string>;
}

export interface FailureEvent {
  readonly name: string;
  /** True when the failure fills the disk of NATS. */
  readonly needsDisk?: true;
  readonly happen: (around: Surroundings) => Promise<Happened>;
}

/** The maximum time in which the operator of the servers notices that the primary is lost. */
const NOTICE_MAX_MS = 3_000;
const FORMER_ALIVE_MS = 1_000;
const NO_PROMOTION: Happened = { promotionMs: null };

const PRIMARY_KILLED: FailureEvent = {
  name: "primary killed",
  happen: (around) =>
    losePrimary(around, { lose: () => around.pair.killPrimary(), isEarly: false }),
};

const EARLY_SWITCH: FailureEvent = {
  name: "primary killed, address switched before the promotion",
  happen: (around) => losePrimary(around, { lose: () => around.pair.killPrimary(), isEarly: true }),
};

const PRIMARY_STOPPED: FailureEvent = {
  name: "primary stopped, and continued after the promotion",
  happen: (around) =>
    losePrimary(around, { lose: async () => around.pair.pausePrimary(), isEarly: false }),
};

async function losePrimary(
  { pair, nodes, below }: Surroundings,
  how: { readonly lose: () => Promise<void>; readonly isEarly: boolean },
): Promise<Happened> {
  const lostMs = performance.now();
  await how.lose();
  // The nodes then meet a server that answers reads and rejects writes.
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

const STANDBY_STOPPED: FailureEvent = {
  name: "standby stopped, so commits wait",
  async happen(around) {
    const { pair } = around;
    pair.pauseStandby();
    await setTimeout(drawMs(around));
    pair.resumeStandby();
    return NO_PROMOTION;
  },
};

const NODE_KILLED: FailureEvent = {
  name: "node killed",
  async happen(around) {
    const { nodes } = around;
    const feed = await nodes.feed();
    const node = drawNode(around, feed);
    await nodes.kill(node);
    return { promotionMs: null, repair: () => nodes.start(node) };
  },
};

const FEED_KILLED: FailureEvent = {
  name: "feed killed",
  async happen({ nodes }) {
    const feed = await feedOf(nodes);
    await nodes.kill(feed);
    return { promotionMs: null, repair: () => nodes.start(feed) };
  },
};

const NODE_STOPPED: FailureEvent = {
  name: "node stopped and continued",
  async happen(around) {
    const { nodes, stopMs } = around;
    const node = drawNode(around, null);
    const accounts = await nodes.accountsOf(node);
    nodes.pause(node);
    await setTimeout(stopMs);
    nodes.resume(node);
    return { promotionMs: null, stopped: { node, accounts } };
  },
};

const LINK_EVENTS: readonly FailureEvent[] = [
  linkEvent("a node's connections to the database cut", "database", "cut"),
  linkEvent("a node's connections to the database held", "database", "held"),
  linkEvent("a node's connections to NATS cut", "bus", "cut"),
  linkEvent("a node's connections to NATS held", "bus", "held"),
];

function linkEvent(name: string, to: "database" | "bus", state: "cut" | "held"): FailureEvent {
  return {
    name,
    async happen(around) {
      const { nodes } = around;
      const node = drawNode(around, null);
      const set = (link: SwitchState): void =>
        to === "database" ? nodes.setDatabaseLink(node, link) : nodes.setBusLinks(node, link);
      set(state);
      await setTimeout(drawMs(around));
      set("open");
      return NO_PROMOTION;
    },
  };
}

const ONE_BUS_SERVER: FailureEvent = {
  name: "one NATS server killed",
  happen: (around) => loseBusServers(around, 1),
};

const TWO_BUS_SERVERS: FailureEvent = {
  name: "two NATS servers killed",
  happen: (around) => loseBusServers(around, 2),
};

/** The servers start again when the clients have moved to the other nodes. */
async function loseBusServers(
  { bus, holdMs, below }: Surroundings,
  count: number,
): Promise<Happened> {
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

const BUS_DISK_FULL: FailureEvent = {
  name: "full disk of NATS",
  needsDisk: true,
  async happen(around) {
    const { busDisk, nodes, holdMs } = around;
    busDisk?.fill();
    // A node connects again while no line of a log can be written.
    const node = drawNode(around, null);
    nodes.setBusLinks(node, "cut");
    nodes.setBusLinks(node, "open");
    await setTimeout(holdMs);
    busDisk?.free();
    return NO_PROMOTION;
  },
};

/** Every kind of failure, in the order of the table. */
export const EVENTS: readonly FailureEvent[] = [
  PRIMARY_KILLED,
  EARLY_SWITCH,
  PRIMARY_STOPPED,
  STANDBY_STOPPED,
  NODE_KILLED,
  FEED_KILLED,
  NODE_STOPPED,
  ...LINK_EVENTS,
  ONE_BUS_SERVER,
  TWO_BUS_SERVERS,
  BUS_DISK_FULL,
];

async function feedOf(nodes: ServiceGroup): Promise<number> {
  let found: number | null = null;
  await untilTrue(async () => {
    found = await nodes.feed();
    return found !== null;
  });
  return found ?? 0;
}

/** At least `holdMs` and below its double. */
function drawMs({ holdMs, below }: Surroundings): number {
  return holdMs + below(holdMs);
}

/** A node that is not the given one. */
function drawNode({ nodeCount, below }: Surroundings, except: number | null): number {
  const node = below(nodeCount);
  return node === except ? (node + 1) % nodeCount : node;
}

import { tmpdir } from "node:os";
import { join } from "node:path";
import pg from "pg";
import { PARTITIONS } from "../../packages/ledger/src/storage/rows/partition.ts";
import { freePort } from "../../test/environment/free-port.ts";
import { createCredentials, type Trader } from "../kills/kill-under-load.ts";
import { createTraderKey, openTrader } from "../kills/run-kills.ts";
import { Victim } from "../kills/victim.ts";
import { databaseUrlAtPort, untilTrue } from "./database-pair.ts";
import { openTcpSwitch, type TcpSwitch, type TcpSwitchState } from "./tcp-switch.ts";

/** Nodes of the service, each with its own connections to the database and to the servers of NATS. */
export interface ServiceGroup {
  readonly baseUrls: readonly string[];
  /** Sends all connections of all nodes to the database to this port. */
  setDatabase(port: number): void;
  setDatabaseLink(node: number, state: TcpSwitchState): void;
  setBusLinks(node: number, state: TcpSwitchState): void;
  kill(node: number): Promise<void>;
  start(node: number): Promise<void>;
  pause(node: number): void;
  resume(node: number): void;
  /** The node that has the lease `feed`; null when no living node has it. */
  feed(): Promise<number | null>;
  /** The accounts whose partitions the node owns. */
  accountsOf(node: number): Promise<ReadonlySet<string>>;
  /** Resolves when every node answers 200 at `/ready`. */
  allReady(): Promise<void>;
  /** Resolves when all partitions have an owner and each owner has its share of them. */
  allShared(): Promise<void>;
  newTrader(): Promise<Trader>;
  /** Creates further keys of the trader's account, each with its own read budget. */
  newKeys(trader: Trader, count: number): Promise<readonly Trader[]>;
  /** The end of the output of each node since its last start. */
  outputs(): readonly string[];
  close(): Promise<void>;
}

/**
 * Each owner has at least this many of the 256 partitions when the shares are settled. With three nodes a share is
 * about 28 to 39 percent of them, with two nodes more.
 */
const LEAST_SHARE = 50;

interface GroupNode {
  readonly victim: Victim;
  readonly database: TcpSwitch;
  readonly bus: readonly TcpSwitch[];
  /** The node's id in the table `nodes`; null before its first start. */
  nodeId: string | null;
}

/** Starts the nodes. Their connections to the database and to NATS pass through TCP switches. */
export async function openServiceGroup(plan: {
  readonly count: number;
  readonly folder: string;
  readonly databasePort: number;
  readonly busPorts: readonly number[];
}): Promise<ServiceGroup> {
  const { folder } = plan;
  let databasePort = plan.databasePort;
  const { masterKey, operatorToken } = createCredentials();
  const made = async (index: number): Promise<GroupNode> => {
    const database = await openTcpSwitch(databasePort);
    const bus = await Promise.all(plan.busPorts.map(openTcpSwitch));
    const victim = new Victim({
      port: await freePort(),
      dataDir: join(folder, `node-${index}`),
      databaseUrls: [databaseUrlAtPort(database.port)],
      operatorToken,
      masterKey,
      settings: {
        PROPGATE_NATS_URL: bus.map(({ port }) => `nats://127.0.0.1:${port}`).join(","),
        // With this cache Node compiles the sources only at the first start.
        NODE_COMPILE_CACHE: join(tmpdir(), "propgate-compile-cache"),
      },
    });
    return { victim, database, bus, nodeId: null };
  };
  const members: GroupNode[] = [];
  while (members.length < plan.count) members.push(await made(members.length));
  const at = (node: number): GroupNode => {
    const member = members[node];
    if (member === undefined) throw new Error(`there is no node ${node}`);
    return member;
  };
  const column = async (text: string): Promise<readonly string[]> => {
    const client = new pg.Client({ connectionString: databaseUrlAtPort(databasePort) });
    client.on("error", () => undefined);
    await client.connect();
    try {
      return (await client.query<{ readonly id: string }>(text)).rows.map(({ id }) => id);
    } finally {
      await client.end();
    }
  };
  const nodeIds = (): Promise<readonly string[]> => column("select node_id as id from nodes");
  const start = async (node: number, isFirst = false): Promise<void> => {
    const before = new Set(isFirst ? [] : await nodeIds());
    await startSupervised(at(node).victim);
    at(node).nodeId = (await nodeIds()).find((id) => !before.has(id)) ?? null;
  };
  const close = async (): Promise<void> => {
    for (const { victim, database, bus } of members) {
      victim.resume();
      await victim.kill();
      await Promise.all([database, ...bus].map((one) => one.close()));
    }
  };
  try {
    for (const index of members.keys()) await start(index, index === 0);
  } catch (cause) {
    await close();
    throw cause;
  }
  const first = at(0).victim;
  return {
    baseUrls: members.map(({ victim }) => victim.baseUrl),
    setDatabase(port) {
      databasePort = port;
      for (const { database } of members) database.setTarget(port);
    },
    setDatabaseLink: (node, state) => at(node).database.setState(state),
    setBusLinks(node, state) {
      for (const link of at(node).bus) link.setState(state);
    },
    kill: (node) => at(node).victim.kill(),
    start: (node) => start(node),
    pause: (node) => at(node).victim.pause(),
    resume: (node) => at(node).victim.resume(),
    async feed() {
      const owners = await column(
        "select owner as id from leases where name = 'feed' and lease_until > clock_timestamp()",
      );
      const found = members.findIndex(({ nodeId }) => nodeId !== null && owners.includes(nodeId));
      return found < 0 ? null : found;
    },
    async accountsOf(node) {
      const owner = at(node).nodeId;
      return new Set(
        await column(
          `select account_id as id from accounts
           join leases on name = 'partition ' || partition_of(account_id)
           where owner = '${owner}' and lease_until > clock_timestamp()`,
        ),
      );
    },
    async allReady() {
      for (const { victim } of members) await untilTrue(() => isReady(victim.baseUrl));
    },
    async allShared() {
      await untilTrue(async () => {
        const shares = await column(
          `select count(*) as id from leases
           where name like 'partition %' and lease_until > clock_timestamp() group by owner`,
        );
        const counts = shares.map(Number);
        const total = counts.reduce((sum, count) => sum + count, 0);
        return total === PARTITIONS && counts.every((count) => count >= LEAST_SHARE);
      });
    },
    newTrader: () => openTrader(first, operatorToken),
    async newKeys({ accountId }, count) {
      const keys: Trader[] = [];
      while (keys.length < count) keys.push(await createTraderKey(first, operatorToken, accountId));
      return keys;
    },
    outputs: () => members.map(({ victim }) => victim.output),
    close,
  };
}

/** PostgreSQL ends a transaction with this message when this busy machine does not run the node's process for 1.5 s. */
const ENDED_BY_DATABASE = "terminating connection due to idle-in-transaction timeout";

/**
 * Starts the node, and starts it again when the database ended a transaction of its start. A supervisor does the same
 * with `Restart=on-failure` of deploy/propgate.service. Every other failed start fails the proof.
 */
async function startSupervised(victim: Victim): Promise<void> {
  for (;;) {
    try {
      return await victim.start();
    } catch (cause) {
      if (!victim.output.includes(ENDED_BY_DATABASE)) throw cause;
    }
  }
}

async function isReady(baseUrl: string): Promise<boolean> {
  try {
    const answer = await fetch(`${baseUrl}/ready`, { signal: AbortSignal.timeout(READY_MS) });
    await answer.arrayBuffer();
    return answer.status === 200;
  } catch {
    return false;
  }
}

const READY_MS = 2_000;

import { randomBytes } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import {
  openScratchPostgres,
  type ScratchDatabase,
} from "../../packages/server/src/testing/open-test-database.ts";
import { signedHeaders } from "../../packages/server/src/testing/signed-request.ts";
import { testNatsUrl } from "../../packages/server/src/testing/test-nats.ts";
import { freePort } from "../../test/environment/free-port.ts";
import { createCredentials, type Trader } from "../kills/kill-under-load.ts";
import { openTrader } from "../kills/run-kills.ts";
import { Victim } from "../kills/victim.ts";

/** An answer of a node with its parsed body. */
export interface NodeAnswer {
  readonly status: number;
  readonly headers: Headers;
  readonly body: unknown;
}

/** A request of a trader to a node. Without any field it reads the positions. */
export interface NodeRequest {
  readonly method?: "GET" | "POST";
  readonly target?: string;
  readonly body?: string;
  /** The nonce of the request; a random one when absent. */
  readonly nonce?: string;
}

/** Two or more processes of the service, which share a NATS server and one or several PostgreSQL databases. */
export interface NodeGroup {
  readonly database: ScratchDatabase;
  /** All databases; `database` is the first. */
  readonly databases: readonly ScratchDatabase[];
  readonly nodes: readonly [Victim, Victim, ...Victim[]];
  /**
   * Creates an account with a key that may read and place orders. `node` is the index of the node that gets the calls;
   * 0 by default.
   */
  newTrader(node?: number): Promise<Trader>;
  /** Sends a signed request to a node. `node` is taken modulo the number of nodes. */
  send(node: number, trader: Trader, sent?: NodeRequest): Promise<NodeAnswer>;
  operate(
    node: number,
    call: string,
    body?: unknown,
    headers?: Readonly<Record<string, string>>,
  ): Promise<NodeAnswer>;
  kill(node: number): Promise<void>;
  /** Kills the node and starts it, with these settings in addition to its own. */
  restart(node: number, settings: Readonly<Record<string, string>>): Promise<void>;
  /** Kills all nodes; the databases stay. */
  stop(): Promise<void>;
  close(): Promise<void>;
}

export const POSITIONS_PATH = "/api/v1/trading/positions";
export const ORDERS_PATH = "/api/v1/trading/orders";
export const PAYOUTS_PATH = "/api/v1/trading/payouts";

export interface NodeGroupOptions {
  /** The number of nodes; 2 by default. */
  readonly nodes?: number;
  /** The number of databases; 1 by default. */
  readonly databases?: number;
  /** Prepares the first database before a node starts; resolves with its URL for the nodes. */
  readonly prepare?: (database: ScratchDatabase) => Promise<string>;
  readonly settings?: Readonly<Record<string, string>>;
  /** Additional settings of the first node only, from the URL of the first database. */
  readonly firstNode?: (databaseUrl: string) => Readonly<Record<string, string>>;
}

/** Creates the databases on the PostgreSQL server and starts the nodes. @throws without a NATS server */
export async function openNodeGroup(
  serverUrl: string,
  options: NodeGroupOptions = {},
): Promise<NodeGroup> {
  const database = await openScratchPostgres(serverUrl);
  const databaseUrl = (await options.prepare?.(database)) ?? database.url;
  const databases = [database];
  while (databases.length < (options.databases ?? 1)) {
    databases.push(await openScratchPostgres(serverUrl));
  }
  const credentials = createCredentials();
  const natsUrl = await testNatsUrl();
  if (natsUrl === null) throw new Error("several nodes need a NATS server");
  const settings = { PROPGATE_NATS_URL: natsUrl, ...options.settings };
  const folders: string[] = [];
  const node = async (own: Readonly<Record<string, string>> = {}): Promise<Victim> => {
    const dataDir = await mkdtemp(join(tmpdir(), "propgate-node-"));
    folders.push(dataDir);
    const databaseUrls = [databaseUrl, ...databases.slice(1).map(({ url }) => url)];
    const place = { port: await freePort(), dataDir, databaseUrls };
    return new Victim({ ...place, ...credentials, settings: { ...settings, ...own } });
  };
  const nodes: [Victim, Victim, ...Victim[]] = [
    await node(options.firstNode?.(databaseUrl)),
    await node(),
  ];
  while (nodes.length < (options.nodes ?? 2)) nodes.push(await node());
  const stop = async (): Promise<void> => {
    await Promise.all(nodes.map((one) => one.kill()));
  };
  const close = async (): Promise<void> => {
    await stop();
    for (const one of databases) await one.close();
    await Promise.all(folders.map((folder) => rm(folder, { recursive: true, force: true })));
  };
  const at = (number: number): Victim => nodes[number % nodes.length] ?? nodes[0];
  try {
    await Promise.all(nodes.map((one) => one.start()));
  } catch (cause) {
    await close();
    throw cause;
  }
  return {
    database,
    databases,
    nodes,
    newTrader: (number = 0) => openTrader(at(number), credentials.operatorToken),
    send: (number, trader, sent) => send(at(number), trader, sent ?? {}),
    async operate(number, call, body, headers = {}) {
      const [method = "", path = ""] = call.split(" ");
      return nodeAnswerOf(
        await fetch(`${at(number).baseUrl}/operator/v1${path}`, {
          method,
          headers: { ...headers, authorization: `Bearer ${credentials.operatorToken}` },
          ...(body === undefined ? {} : { body: JSON.stringify(body) }),
        }),
      );
    },
    kill: (number) => at(number).kill(),
    async restart(number, settings) {
      await at(number).kill();
      await at(number).start(settings);
    },
    stop,
    close,
  };
}

async function send(node: Victim, trader: Trader, sent: NodeRequest): Promise<NodeAnswer> {
  const { method = "GET", target = POSITIONS_PATH, body = "" } = sent;
  const nonce = sent.nonce ?? randomBytes(16).toString("hex");
  const timestamp = String(Date.now());
  const headers = {
    ...signedHeaders(trader, { method, target, body, nonce, timestamp }),
    ...(body === "" ? {} : { "content-type": "application/json" }),
  };
  const init = { method, headers, ...(body === "" ? {} : { body }) };
  return nodeAnswerOf(await fetch(`${node.baseUrl}${target}`, init));
}

async function nodeAnswerOf(response: Response): Promise<NodeAnswer> {
  const { status, headers } = response;
  return { status, headers, body: await response.json() };
}

/** The request that sends an order with this `trade`. */
export function orderRequest(trade: Readonly<Record<string, unknown>>): NodeRequest {
  return { method: "POST", target: ORDERS_PATH, body: JSON.stringify({ trade }) };
}

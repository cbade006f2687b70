import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openScratchPostgres } from "../../packages/server/src/testing/open-test-database.ts";
import { testNatsUrl } from "../../packages/server/src/testing/test-nats.ts";
import { freePort } from "../../test/environment/free-port.ts";
import { createCredentials } from "../kills/kill-under-load.ts";
import { Victim } from "../kills/victim.ts";

/** The processes of the service, which share a database when there are several. */
export interface ServiceNodes {
  readonly count: number;
  readonly first: Victim;
  readonly operatorToken: string;
  /** The index of the next living node; the calls go through all living nodes, again and again. */
  next(): number;
  portOf(node: number): number;
  /** The port of a living node. */
  port(): number;
  kill(node: number): Promise<void>;
  start(node: number): Promise<void>;
  close(): Promise<void>;
}

/** Starts the nodes. @throws when several nodes have no PostgreSQL or no NATS server */
export async function openServiceNodes(plan: {
  readonly count: number;
  readonly serverUrl: string | null;
  readonly program: readonly string[];
  readonly settings: Readonly<Record<string, string>>;
}): Promise<ServiceNodes> {
  const { count, serverUrl, program } = plan;
  if (count > 1 && serverUrl === null) throw new Error("several nodes need a PostgreSQL server");
  const natsUrl = count > 1 ? await testNatsUrl() : null;
  if (count > 1 && natsUrl === null) throw new Error("several nodes need a NATS server");
  const settings = {
    ...plan.settings,
    ...(natsUrl === null ? {} : { PROPGATE_NATS_URL: natsUrl }),
  };
  const folder = await mkdtemp(join(tmpdir(), "propgate-validator-"));
  const database = serverUrl === null ? null : await openScratchPostgres(serverUrl);
  const credentials = createCredentials();
  const dead = new Set<number>();
  let turn = 0;
  const made = async (index: number) => {
    const dataDir = join(folder, `data-${index}`);
    const place = {
      port: await freePort(),
      dataDir,
      databaseUrls: database === null ? [] : [database.url],
    };
    return new Victim({ ...place, ...credentials, program, settings });
  };
  const first = await made(0);
  const nodes: Victim[] = [first];
  while (nodes.length < count) nodes.push(await made(nodes.length));
  const at = (index: number): Victim => nodes[index] ?? first;
  const portOf = (index: number): number => Number(new URL(at(index).baseUrl).port);
  const next = (): number => {
    for (const _ of nodes) {
      turn = (turn + 1) % nodes.length;
      if (!dead.has(turn)) break;
    }
    return turn;
  };
  const close = async (): Promise<void> => {
    for (const node of nodes) await node.kill();
    await database?.close();
    await rm(folder, { recursive: true, force: true });
  };
  try {
    for (const node of nodes) await node.start();
  } catch (cause) {
    await close();
    throw cause;
  }
  return {
    count,
    first,
    operatorToken: credentials.operatorToken,
    next,
    portOf,
    port: () => portOf(next()),
    async kill(index) {
      dead.add(index);
      await at(index).kill();
    },
    async start(index) {
      await at(index).start();
      dead.delete(index);
    },
    close,
  };
}

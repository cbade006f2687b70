import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type ChildProgram, startChildProgram } from "./child.ts";
import type { LoadKey } from "./load.ts";

export type StoreKind = "PostgreSQL" | "embedded";

/** The address of a service, and the keys of its accounts. */
export interface ServiceAddress {
  readonly baseUrl: string;
  readonly host: string;
  readonly port: number;
  /** The second address that the service's program printed; empty when it printed only one. */
  readonly control: string;
  readonly keys: readonly LoadKey[];
}

/** A running service with its accounts, its store and the figures of its process. */
export interface BenchService extends ServiceAddress {
  readonly store: StoreKind;
  /** The URL of the PostgreSQL database; null for the embedded store, whose database only its own process can open. */
  readonly databaseUrl: string | null;
  /** The highest resident memory that the service's process has had, in MB. */
  peakMb(): number;
  /** The processor time that the service's process has used. */
  cpuMs(): number;
  signal(name: NodeJS.Signals): void;
  stop(): Promise<void>;
}

const SERVER_URL =
  process.env.PROPGATE_TEST_DATABASE_URL ?? "postgres://root@127.0.0.1:5432/postgres";
const TOKEN = "bench-operator-token-000000";

/** Starts a service with accounts and keys. Throws when it is to run on PostgreSQL and the server cannot be reached. */
export async function startBenchService(plan: {
  readonly accounts: number;
  readonly keysPerAccount: number;
  /** The maximum number of commands per transaction; 0 keeps the default of the service. */
  readonly batchMax: number;
  /** The program that runs the service: a name in this folder or a URL. `service-process.ts` when absent. */
  readonly program?: string;
  /** The store of the service; PostgreSQL when absent. */
  readonly store?: StoreKind;
  /**
   * Fills the tables of PostgreSQL after the accounts were made. A new process of the service, which is the one to
   * measure, then loads them. Not called on the embedded store.
   */
  readonly fill?: (databaseUrl: string, keys: readonly LoadKey[]) => Promise<void>;
  /** Prepares the accounts before `fill`, through the service that made them. */
  readonly prepare?: (service: ServiceAddress) => Promise<void>;
  /** The values of further settings, by the names of their environment variables. */
  readonly settings?: Readonly<Record<string, string>>;
}): Promise<BenchService> {
  const name = `propgate_bench_${process.pid}_${Date.now()}`;
  const databaseUrl = plan.store === "embedded" ? null : await scratchDatabase(name);
  const dataDir = await mkdtemp(join(tmpdir(), "propgate-bench-"));
  const start = () =>
    startChildProgram(plan.program ?? "service-process.ts", [String(plan.batchMax)], {
      PROPGATE_PORT: "0",
      PROPGATE_DATA_DIR: dataDir,
      PROPGATE_OPERATOR_TOKEN: TOKEN,
      PROPGATE_ACCOUNTS_PER_OWNER: "100000",
      ...(databaseUrl === null ? {} : { PROPGATE_DATABASE_URL: databaseUrl }),
      ...plan.settings,
    });
  const removeData = async (): Promise<void> => {
    await rm(dataDir, { recursive: true, force: true });
    if (databaseUrl !== null) await onServer(`drop database ${name} with (force)`);
  };
  let child: ChildProgram | null = null;
  try {
    child = await start();
    const keys = await makeKeys(child.line.split(" ")[0] ?? "", plan);
    await plan.prepare?.(addressOf(child, keys));
    if (plan.fill !== undefined && databaseUrl !== null) {
      await child.stop();
      await plan.fill(databaseUrl, keys);
      child = await start();
    }
    const running = child;
    return {
      ...addressOf(running, keys),
      store: databaseUrl === null ? "embedded" : "PostgreSQL",
      databaseUrl,
      peakMb: () => running.peakMb(),
      cpuMs: () => running.cpuMs(),
      signal: (name) => running.signal(name),
      async stop() {
        await running.stop();
        await removeData();
      },
    };
  } catch (cause) {
    await child?.stop();
    await removeData();
    throw cause;
  }
}

function addressOf({ line }: ChildProgram, keys: readonly LoadKey[]): ServiceAddress {
  const [baseUrl = "", control = ""] = line.split(" ");
  const { hostname, port } = new URL(baseUrl);
  return { baseUrl, host: hostname, port: Number(port), control, keys };
}

async function scratchDatabase(name: string): Promise<string> {
  const url = new URL(SERVER_URL);
  try {
    await onServer(`create database ${name}`);
  } catch (cause) {
    const fix = "set PROPGATE_TEST_DATABASE_URL to a PostgreSQL server";
    throw new Error(`no database can be made on ${url.host}: ${fix}`, { cause });
  }
  url.pathname = `/${name}`;
  return url.href;
}

async function onServer(statement: string): Promise<void> {
  const { default: pg } = await import("pg");
  const client = new pg.Client({ connectionString: SERVER_URL });
  await client.connect();
  try {
    await client.query(statement);
  } finally {
    await client.end();
  }
}

/** The number of accounts that are made at the same time. An operator token may have twice as many calls under way. */
const MAKERS = 8;

/** Opens the accounts and makes their keys. Resolves with the keys, in the order of the accounts. */
async function makeKeys(
  baseUrl: string,
  plan: { readonly accounts: number; readonly keysPerAccount: number },
): Promise<readonly LoadKey[]> {
  const keys: (readonly LoadKey[])[] = [];
  let next = 0;
  const make = async (): Promise<void> => {
    while (next < plan.accounts) {
      const account = next;
      next += 1;
      keys[account] = await makeAccount(baseUrl, account, plan.keysPerAccount);
    }
  };
  await Promise.all(Array.from({ length: MAKERS }, make));
  return keys.flat();
}

async function makeAccount(
  baseUrl: string,
  account: number,
  keysPerAccount: number,
): Promise<readonly LoadKey[]> {
  const { accountId } = await callOperator(baseUrl, "/accounts", {
    size: 100_000,
    ownerId: `bench-${account}`,
  });
  const scopes = ["trade:read", "trade:place"];
  const keys: LoadKey[] = [];
  for (let made = 0; made < keysPerAccount; made += 1) {
    const { keyId, secret } = await callOperator(baseUrl, "/keys", { accountId, scopes });
    keys.push({ keyId: String(keyId), secret: String(secret) });
  }
  return keys;
}

/** Sends a call as the operator and resolves with its `data`. @throws unless the answer is a success */
export async function callOperator(
  baseUrl: string,
  path: string,
  body: unknown,
): Promise<Record<string, unknown>> {
  const response = await fetch(`${baseUrl}/operator/v1${path}`, {
    method: "POST",
    headers: { authorization: `Bearer ${TOKEN}`, "content-type": "application/json" },
    body: JSON.stringify(body),
  });
  const answer: unknown = await response.json();
  if (response.ok && typeof answer === "object" && answer !== null && "data" in answer) {
    return { ...Object(answer.data) };
  }
  throw new Error(`${path} answered ${response.status}: ${JSON.stringify(answer)}`);
}

import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Child, startChild } from "./child.ts";
import type { LoadKey } from "./load.ts";

export type Store = "PostgreSQL" | "embedded";

/** The address of a service, and the keys of its accounts. */
export interface Address {
  readonly baseUrl: string;
  readonly host: string;
  readonly port: number;
  /** The second address that its program printed; empty without one. */
  readonly control: string;
  readonly keys: readonly LoadKey[];
}

export interface BenchService extends Address {
  readonly store: Store;
  /** Null for the embedded store, whose database only its own process can open. */
  readonly databaseUrl: string | null;
  /** The highest resident memory that its process has had, MB. */
  peakMb(): number;
  /** The processor time that its process has used. */
  cpuMs(): number;
  signal(name: NodeJS.Signals): void;
  stop(): Promise<void>;
}

const SERVER_URL =
  process.env.PROPGATE_TEST_DATABASE_URL ?? "postgres://root@127.0.0.1:5432/postgres";
const TOKEN = "bench-operator-token-000000";

/** A service with accounts and keys, on PostgreSQL when it is available and embedded otherwise. */
export async function startBenchService(plan: {
  readonly accounts: number;
  readonly keysPerAccount: number;
  /** 0 keeps the service's own. */
  readonly batchMax: number;
  /** The program that runs the service, a name in this folder or a URL; `service-process.ts` when absent. */
  readonly program?: string;
  /** PostgreSQL where it is available, unless given. */
  readonly store?: Store;
  /** Fills the tables of PostgreSQL before the service that is measured starts; it loads them. */
  readonly fill?: (databaseUrl: string, keys: readonly LoadKey[]) => Promise<void>;
  /** Prepares the accounts before `fill`, with the service that made them. */
  readonly prepare?: (service: Address) => Promise<void>;
  /** Further settings, by their variables. */
  readonly settings?: Readonly<Record<string, string>>;
}): Promise<BenchService> {
  const dataDir = await mkdtemp(join(tmpdir(), "propgate-bench-"));
  const name = `propgate_bench_${process.pid}_${Date.now()}`;
  const databaseUrl = plan.store === "embedded" ? null : await scratchDatabase(name);
  const start = () =>
    startChild(plan.program ?? "service-process.ts", [String(plan.batchMax)], {
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
  let child: Child | null = null;
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

function addressOf({ line }: Child, keys: readonly LoadKey[]): Address {
  const [baseUrl = "", control = ""] = line.split(" ");
  const { hostname, port } = new URL(baseUrl);
  return { baseUrl, host: hostname, port: Number(port), control, keys };
}

async function scratchDatabase(name: string): Promise<string | null> {
  try {
    await onServer(`create database ${name}`);
  } catch {
    return null;
  }
  const url = new URL(SERVER_URL);
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

/** Calls under way; a token may have twice as many. */
const MAKERS = 8;

/** The keys of all accounts in their order; several accounts are made concurrently. */
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
  const { accountId } = await operate(baseUrl, "/accounts", {
    size: 100_000,
    ownerId: `bench-${account}`,
  });
  const scopes = ["trade:read", "trade:place"];
  const keys: LoadKey[] = [];
  for (let made = 0; made < keysPerAccount; made += 1) {
    const { keyId, secret } = await operate(baseUrl, "/keys", { accountId, scopes });
    keys.push({ keyId: String(keyId), secret: String(secret) });
  }
  return keys;
}

/** `data` of a call of the operator. @throws unless it is answered with 200 */
export async function operate(
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

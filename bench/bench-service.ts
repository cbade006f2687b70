import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { startChild } from "./child.ts";
import type { LoadKey } from "./load.ts";

export interface BenchService {
  readonly baseUrl: string;
  readonly host: string;
  readonly port: number;
  readonly store: string;
  /** The second address that its program printed; empty without one. */
  readonly control: string;
  readonly keys: readonly LoadKey[];
  /** The processor time that its process has used. */
  cpuMs(): number;
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
  /** The program that runs the service, a name in this folder or a URL; `service-process.ts` unless given. */
  readonly program?: string;
  /** Further settings, by their variables. */
  readonly settings?: Readonly<Record<string, string>>;
}): Promise<BenchService> {
  const dataDir = await mkdtemp(join(tmpdir(), "propgate-bench-"));
  const name = `propgate_bench_${process.pid}_${Date.now()}`;
  const databaseUrl = await scratchDatabase(name);
  const child = await startChild(plan.program ?? "service-process.ts", [String(plan.batchMax)], {
    PROPGATE_PORT: "0",
    PROPGATE_DATA_DIR: dataDir,
    PROPGATE_OPERATOR_TOKEN: TOKEN,
    PROPGATE_ACCOUNTS_PER_OWNER: "100000",
    ...(databaseUrl === null ? {} : { PROPGATE_DATABASE_URL: databaseUrl }),
    ...plan.settings,
  });
  const [baseUrl = "", control = ""] = child.line.split(" ");
  const { hostname, port } = new URL(baseUrl);
  return {
    baseUrl,
    host: hostname,
    port: Number(port),
    store: databaseUrl === null ? "embedded" : "PostgreSQL",
    control,
    keys: await makeKeys(baseUrl, plan),
    cpuMs: () => child.cpuMs(),
    async stop() {
      await child.stop();
      await rm(dataDir, { recursive: true, force: true });
      if (databaseUrl !== null) await onServer(`drop database ${name} with (force)`);
    },
  };
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

async function makeKeys(
  baseUrl: string,
  plan: { readonly accounts: number; readonly keysPerAccount: number },
): Promise<readonly LoadKey[]> {
  const keys: LoadKey[] = [];
  for (let account = 0; account < plan.accounts; account += 1) {
    const { accountId } = await operate(baseUrl, "/accounts", {
      size: 100_000,
      ownerId: `bench-${account}`,
    });
    const scopes = ["trade:read", "trade:place"];
    const made = await Promise.all(
      Array.from({ length: plan.keysPerAccount }, () =>
        operate(baseUrl, "/keys", { accountId, scopes }),
      ),
    );
    for (const { keyId, secret } of made) {
      keys.push({ keyId: String(keyId), secret: String(secret) });
    }
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

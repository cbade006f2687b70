import { createHash } from "node:crypto";
import pg from "pg";
import { decodeColumn, encodeParameter } from "./column-text.ts";
import type { Database, Queryable } from "./database.ts";
import { DatabaseUnusable, isTakenBack } from "./database-error.ts";

const LEAST_SERVER_VERSION = 150_000;
const CONNECTIONS_MAX = 8;
const CONNECT_TIMEOUT_MS = 10_000;
/** A server that does not answer for so long is gone, though its connection has not been told. */
const ANSWER_TIMEOUT_MS = 30_000;
/** Of statements that may have to work for long, such as a migration: a day. */
const LONG_ANSWER_TIMEOUT_MS = 86_400_000;
/** After this the server takes back what a node has begun that is gone, and its locks with it. */
const ABANDONED_AFTER_MS = 60_000;

/**
 * A PostgreSQL server, 15 or later. A commit is answered when the server has made it durable. The
 * times above can be set in the URL: `?query_timeout=5000`.
 * @throws DatabaseUnusable when it cannot be reached, is too old or does not keep what it answers
 */
export async function openPostgres(url: string): Promise<Database> {
  const pool = new pg.Pool({
    connectionString: url,
    max: CONNECTIONS_MAX,
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    query_timeout: ANSWER_TIMEOUT_MS,
    idle_in_transaction_session_timeout: ABANDONED_AFTER_MS,
    keepAlive: true,
    application_name: "propgate",
    types: { getTypeParser: (typeId: number) => (text: string) => decodeColumn(text, typeId) },
  });
  // Whoever was using a connection that breaks is told by the query; the pool replaces it.
  pool.on("error", () => undefined);
  pool.on("connect", (client) => client.on("error", () => undefined));
  try {
    await checkServer(pool, url);
  } catch (cause) {
    await pool.end();
    if (cause instanceof DatabaseUnusable) throw cause;
    throw unusable(url, `no connection: ${reason(cause)}`, cause);
  }
  return postgresDatabase(pool);
}

function postgresDatabase(pool: pg.Pool): Database {
  const names = new Map<string, string>();
  const sessionOn = (client: pg.Pool | pg.PoolClient): Queryable => ({
    query: (text, parameters) => run(client, { names, text, parameters }),
  });
  const alone = sessionOn(pool);
  let closed: Promise<void> | null = null;
  return {
    kind: "postgres",
    query: (text, parameters) => alone.query(text, parameters),
    async transaction(work) {
      const client = await pool.connect();
      try {
        const value = await carryOut(client, sessionOn(client), work);
        client.release();
        return value;
      } catch (cause) {
        // Unless the server is well, the next one gets a new connection, perhaps to another server.
        const isWell = isTakenBack(cause) && (await isRolledBack(client));
        client.release(!isWell);
        throw cause;
      }
    },
    close() {
      closed ??= pool.end();
      return closed;
    },
  };
}

async function carryOut<Value>(
  client: pg.PoolClient,
  session: Queryable,
  work: (transaction: Queryable) => Promise<Value>,
): Promise<Value> {
  await client.query("begin");
  const value = await work(session);
  await client.query("commit");
  return value;
}

/** What is not rolled back here the server rolls back when the connection ends. */
async function isRolledBack(client: pg.PoolClient): Promise<boolean> {
  try {
    await client.query("rollback");
    return true;
  } catch {
    return false;
  }
}

async function run<Row>(
  client: pg.Pool | pg.PoolClient,
  statement: {
    readonly names: Map<string, string>;
    readonly text: string;
    readonly parameters: readonly unknown[] | undefined;
  },
): Promise<readonly Row[]> {
  const { names, text, parameters } = statement;
  if (parameters === undefined) {
    const long = { text, query_timeout: LONG_ANSWER_TIMEOUT_MS };
    return rowsOf<Row>(await client.query(long));
  }
  const name = names.get(text) ?? createHash("sha256").update(text).digest("hex").slice(0, 40);
  names.set(text, name);
  return rowsOf<Row>(await client.query({ name, text, values: parameters.map(encodeParameter) }));
}

/** Of several statements the last one's; the caller names the row's type beside its statement. */
function rowsOf<Row>(result: { rows: unknown[] } | { rows: unknown[] }[]): readonly Row[] {
  const rows = Array.isArray(result) ? (result.at(-1)?.rows ?? []) : result.rows;
  return rows as Row[];
}

async function checkServer(pool: pg.Pool, url: string): Promise<void> {
  const { rows } = await pool.query<{ version: number; commit: string }>(
    `select current_setting('server_version_num')::int as version,
       current_setting('synchronous_commit') as commit`,
  );
  const server = rows[0];
  if (server === undefined || server.version < LEAST_SERVER_VERSION) {
    throw unusable(url, `PostgreSQL 15 or later is needed, not ${server?.version ?? "this"}`);
  }
  if (server.commit === "off") {
    throw unusable(url, "synchronous_commit is off there, so an answered order could be lost");
  }
}

function unusable(url: string, why: string, cause?: unknown): DatabaseUnusable {
  return new DatabaseUnusable(
    `PROPGATE_DATABASE_URL (${address(url)}): ${why}.`,
    cause === undefined ? {} : { cause },
  );
}

/** Without user and password. */
function address(url: string): string {
  if (!URL.canParse(url)) return "not a URL";
  const { host, pathname } = new URL(url);
  return `${host}${pathname}`;
}

function reason(cause: unknown): string {
  if (cause instanceof AggregateError && cause.message === "") return reason(cause.errors[0]);
  return cause instanceof Error ? cause.message : String(cause);
}

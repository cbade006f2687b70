import { createHash } from "node:crypto";
import { cleanUpAfter, databaseAddressProblem, parseDatabaseAddress } from "@propgate/base";
import pg from "pg";
import { decodeColumn, encodeParameter } from "../stores/column-text.ts";
import type { Database, Queryable, TransactionLimits } from "./database.ts";
import {
  DatabaseAway,
  DatabaseUnusable,
  isLockTimeout,
  isRolledBack,
  isStall,
  lacksPreparedStatements,
} from "./database-error.ts";

const SERVER_VERSION_MIN = 150_000;
const CONNECTIONS_MAX = 8;
const CONNECT_TIMEOUT_MS = 10_000;
/** Timeout of a server that does not answer, even on an open connection. */
const ANSWER_TIMEOUT_MS = 30_000;
/** Timeout of a statement without parameters, such as a migration, which may take long: a day. */
const LONG_ANSWER_TIMEOUT_MS = 86_400_000;
/**
 * The default limits of a transaction. After `idleMs` the server ends the idle transaction of a stopped node, with its
 * locks, so other nodes wait no longer than that. `lockWaitMs` is longer, for the locks of other programs.
 */
const LIMITS: Required<TransactionLimits> = {
  lockWaitMs: 5_000,
  idleMs: 1_500,
  statementMs: ANSWER_TIMEOUT_MS,
};

/**
 * Opens a PostgreSQL server, 15 or later. A commit is answered when the server has made it durable. The URL can set the
 * timeouts above, in milliseconds: `?query_timeout=5000`, `lock_timeout`, `idle_in_transaction_session_timeout` and
 * `statement_timeout`.
 * @throws DatabaseUnusable when it cannot be reached, is too old or acknowledges commits too early
 */
export async function openPostgres(url: string): Promise<Database> {
  const problem = databaseAddressProblem(url);
  // The error does not show the given text, because a part of it may be the password.
  if (problem !== null) throw new DatabaseUnusable(`PROPGATE_DATABASE_URL (not a URL) ${problem}.`);
  const { connectionString, limits } = parseConnectionUrl(url);
  const pool = new pg.Pool({
    connectionString,
    max: CONNECTIONS_MAX,
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    query_timeout: ANSWER_TIMEOUT_MS,
    keepAlive: true,
    application_name: "propgate",
    types: { getTypeParser: (typeId: number) => (text: string) => decodeColumn(text, typeId) },
  });
  // A broken connection needs no handling here: the statement that fails on it reports the error, and the pool replaces
  // the connection.
  pool.on("error", () => undefined);
  pool.on("connect", (client) => client.on("error", () => undefined));
  try {
    await checkServer(pool, url);
  } catch (cause) {
    const isSaid = cause instanceof DatabaseUnusable;
    const error = isSaid ? cause : unusableError(url, `no connection: ${reason(cause)}`, cause);
    throw await cleanUpAfter(error, () => pool.end());
  }
  return postgresDatabase(pool, limits);
}

/**
 * Removes the limits from the URL: `pg` would send them when it connects, and PgBouncer refuses them there. Instead
 * each transaction sets its limits itself, so that they also work through a transaction pooler. Without
 * `uselibpqcompat`, `pg` reads `sslmode` differently from libpq, and warns.
 */
function parseConnectionUrl(given: string): {
  readonly connectionString: string;
  readonly limits: Required<TransactionLimits>;
} {
  const url = parseDatabaseAddress(given);
  if (url === null) return { connectionString: given, limits: LIMITS };
  if (url.searchParams.has("sslmode")) url.searchParams.set("uselibpqcompat", "true");
  // Without this parameter, the authorities that Node knows are trusted, which is the meaning of `system`.
  if (url.searchParams.get("sslrootcert") === "system") url.searchParams.delete("sslrootcert");
  const take = (name: string, fallback: number): number => {
    const value = url.searchParams.get(name);
    url.searchParams.delete(name);
    return value !== null && /^\d+$/.test(value) ? Number(value) : fallback;
  };
  const limits = {
    lockWaitMs: take("lock_timeout", LIMITS.lockWaitMs),
    idleMs: take("idle_in_transaction_session_timeout", LIMITS.idleMs),
    statementMs: take("statement_timeout", LIMITS.statementMs),
  };
  return { connectionString: url.href, limits };
}

function postgresDatabase(pool: pg.Pool, limits: Required<TransactionLimits>): Database {
  const names = new Map<string, string>();
  const sessionOn = (client: pg.Pool | pg.PoolClient): Queryable => ({
    query: (text, parameters, preparing) =>
      runStatement(client, { names: preparing === "once" ? null : names, text, parameters }),
  });
  const alone = sessionOn(pool);
  let waits = 0;
  const countWait = (): void => {
    if (pool.idleCount === 0 && pool.totalCount >= CONNECTIONS_MAX) waits += 1;
  };
  let closed: Promise<void> | null = null;
  return {
    kind: "postgres",
    query(text, parameters, preparing) {
      countWait();
      return alone.query(text, parameters, preparing);
    },
    async transaction(work, given = {}) {
      countWait();
      const client = await awaitReply(pool.connect());
      const broken: { by: unknown } = { by: null };
      const onError = (cause: unknown): void => {
        broken.by ??= cause;
      };
      client.on("error", onError);
      try {
        const begin = beginSql({ ...limits, ...given });
        const value = await runTransaction(client, { begin, session: sessionOn(client), work });
        client.release();
        return value;
      } catch (failure) {
        // The server reported on the connection why it ended the idle transaction. The error of the next statement
        // does not contain that reason.
        const cause = isStall(broken.by) && failure instanceof DatabaseAway ? broken.by : failure;
        // A connection that may be broken is closed. The next transaction gets a new one, perhaps to another server.
        const isUsable = leavesConnectionUsable(cause) && (await tryRollback(client));
        client.release(!isUsable);
        throw cause;
      } finally {
        client.off("error", onError);
      }
    },
    connections: () => ({
      inUse: pool.totalCount - pool.idleCount,
      idle: pool.idleCount,
      waiting: pool.waitingCount,
      waits,
    }),
    close() {
      closed ??= pool.end();
      return closed;
    },
  };
}

/**
 * Begins a transaction and sets its limits in one message, so that they cost no round trip. `set local` ends with the
 * transaction.
 */
function beginSql({ lockWaitMs, idleMs, statementMs }: Required<TransactionLimits>): string {
  return `begin; set local lock_timeout = ${lockWaitMs};
    set local idle_in_transaction_session_timeout = ${idleMs};
    set local statement_timeout = ${statementMs}`;
}

async function runTransaction<Value>(
  client: pg.PoolClient,
  given: {
    readonly begin: string;
    readonly session: Queryable;
    readonly work: (transaction: Queryable) => Promise<Value>;
  },
): Promise<Value> {
  await awaitReply(client.query(given.begin));
  const value = await given.work(given.session);
  await awaitReply(client.query("commit"));
  return value;
}

/**
 * Waits for the reply. An error that the server did not report becomes `DatabaseAway`, because the connection has
 * failed. The error of a pooler without prepared statements becomes `DatabaseUnusable`.
 */
async function awaitReply<Value>(reply: Promise<Value>): Promise<Value> {
  try {
    return await reply;
  } catch (cause) {
    if (lacksPreparedStatements(cause))
      throw new DatabaseUnusable(NO_PREPARED_STATEMENTS, { cause });
    if (cause instanceof pg.DatabaseError) throw cause;
    throw new DatabaseAway(reason(cause), { cause });
  }
}

const NO_PREPARED_STATEMENTS =
  "A pooler before PostgreSQL keeps no prepared statements: use PgBouncer 1.21 or later with max_prepared_statements, its session mode, or a direct connection";

/** True after a lock timeout, and after an error for which `isRolledBack` is true. */
function leavesConnectionUsable(cause: unknown): boolean {
  return isRolledBack(cause) || isLockTimeout(cause);
}

/** False when the rollback failed; the server then rolls back when the connection ends. */
async function tryRollback(client: pg.PoolClient): Promise<boolean> {
  try {
    await client.query("rollback");
    return true;
  } catch {
    return false;
  }
}

async function runStatement<Row>(
  client: pg.Pool | pg.PoolClient,
  statement: {
    /** The names of the prepared statements by their text; null when the statement is not kept. */
    readonly names: Map<string, string> | null;
    readonly text: string;
    readonly parameters: readonly unknown[] | undefined;
  },
): Promise<readonly Row[]> {
  const { names, text, parameters } = statement;
  if (parameters === undefined) {
    const long = { text, query_timeout: LONG_ANSWER_TIMEOUT_MS };
    return rowsOf<Row>(await awaitReply(client.query(long)));
  }
  const values = parameters.map(encodeParameter);
  if (names === null) return rowsOf<Row>(await awaitReply(client.query({ text, values })));
  const name = names.get(text) ?? createHash("sha256").update(text).digest("hex").slice(0, 40);
  names.set(text, name);
  return rowsOf<Row>(await awaitReply(client.query({ name, text, values })));
}

/** The rows of the statement, or of the last statement of several. The caller of `query` declares the row's type. */
function rowsOf<Row>(result: { rows: unknown[] } | { rows: unknown[] }[]): readonly Row[] {
  const rows = Array.isArray(result) ? (result.at(-1)?.rows ?? []) : result.rows;
  return rows as Row[];
}

async function checkServer(pool: pg.Pool, url: string): Promise<void> {
  const { rows } = await pool.query<{ version: number; commit: string; bytes: string }>(
    `select current_setting('server_version_num')::int as version,
       current_setting('synchronous_commit') as commit, current_setting('bytea_output') as bytes`,
  );
  const server = rows[0];
  if (server === undefined || server.version < SERVER_VERSION_MIN) {
    throw unusableError(url, `PostgreSQL 15 or later is needed, not ${server?.version ?? "this"}`);
  }
  if (server.commit === "off") {
    throw unusableError(url, "synchronous_commit is off, so an answered order could be lost");
  }
  if (server.bytes !== "hex") {
    const set = "alter role or alter database … set bytea_output = 'hex'";
    throw unusableError(
      url,
      `bytea_output is ${server.bytes}, so nothing sealed could be read: ${set}`,
    );
  }
}

function unusableError(url: string, why: string, cause?: unknown): DatabaseUnusable {
  return new DatabaseUnusable(
    `PROPGATE_DATABASE_URL (${addressOf(url)}): ${why}.`,
    cause === undefined ? {} : { cause },
  );
}

/** Host and path of the URL, without user and password. */
function addressOf(url: string): string {
  const { host = "", pathname = "" } = parseDatabaseAddress(url) ?? {};
  return `${host}${pathname}`;
}

function reason(cause: unknown): string {
  if (cause instanceof AggregateError && cause.message === "") return reason(cause.errors[0]);
  return cause instanceof Error ? cause.message : String(cause);
}

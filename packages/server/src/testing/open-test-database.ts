import { createHash } from "node:crypto";
import { tmpdir } from "node:os";
import { basename } from "node:path";
import { PGlite } from "@electric-sql/pglite";
import { NodeFS } from "@electric-sql/pglite/nodefs";
import pg from "pg";
import { TEST_MAX_MS } from "../../../../test/environment/test-max-ms.ts";
import type { Database } from "../../../ledger/src/storage/databases/database.ts";
import {
  createPgliteDatabase,
  startPgliteSession,
} from "../../../ledger/src/storage/databases/pglite-database.ts";
import { openPostgres } from "../../../ledger/src/storage/databases/postgres-database.ts";
import { MIGRATIONS, migrate } from "../../../ledger/src/storage/migrations/migrate.ts";
import { type DatabaseImage, databaseImage } from "./database-image.ts";
import { openKeptPglite, openNewPglite } from "./kept-pglite.ts";
import {
  databaseShape,
  dropKeptDatabases,
  emptyDatabase,
  keepDatabase,
  type RunOnServer,
  takeKeptDatabase,
} from "./kept-postgres.ts";
import { newDatabaseName, postgresServerUrl } from "./test-server.ts";

/**
 * A migrated, empty database in memory: one that an earlier test has closed, or a new one. Plans and sizes may depend
 * on its earlier rows, so a test of these uses `openNewTestDatabase`.
 */
export function openTestDatabase(): Promise<Database> {
  return openKeptPglite(migratedImage);
}

/** A migrated, empty database in memory that no test has used. */
export function openNewTestDatabase(): Promise<Database> {
  return openNewPglite(migratedImage);
}

/** The URL of the PostgreSQL server for tests. Null when it does not answer; its tests are then reported as skipped. */
export async function testPostgresUrl(): Promise<string | null> {
  const url = postgresServerUrl();
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 2000 });
  try {
    await client.connect();
    await client.end();
    return url;
  } catch {
    console.warn(`SKIPPED: PostgreSQL does not answer at ${url}, so its tests do not run`);
    return null;
  }
}

/**
 * A migrated, empty database of its own on the PostgreSQL server: one that an earlier test has closed, or a new one.
 * Plans and sizes may depend on its earlier rows, so a test of these uses `openNewScratchPostgres`.
 */
export async function openScratchPostgres(serverUrl: string): Promise<ScratchDatabase> {
  const name = newDatabaseName();
  const runFolder = tmpdir();
  await asAdministrator(serverUrl, async (run) => {
    await run(`select pg_advisory_lock(${KEPT_LOCK})`);
    const isTaken = await takeKeptDatabase(run, { runFolder, name });
    await run(`select pg_advisory_unlock(${KEPT_LOCK})`);
    if (!isTaken) await copyTemplate(serverUrl, run, name);
  });
  return openScratch(serverUrl, name);
}

/** A migrated, empty database on the PostgreSQL server that no test has used. */
export async function openNewScratchPostgres(serverUrl: string): Promise<ScratchDatabase> {
  const name = newDatabaseName();
  await asAdministrator(serverUrl, (run) => copyTemplate(serverUrl, run, name));
  return openScratch(serverUrl, name);
}

async function copyTemplate(serverUrl: string, run: RunOnServer, name: string): Promise<void> {
  const template = await migratedTemplate(serverUrl, run);
  // The usual strategy writes each page to the WAL, which takes four times the processor time.
  await run(`create database ${name} template ${template} strategy file_copy`);
}

async function openScratch(serverUrl: string, name: string): Promise<ScratchDatabase> {
  const url = urlOf(serverUrl, name);
  const database = await openPostgres(patientDatabaseUrl(url));
  return {
    ...database,
    url,
    async close() {
      await database.close();
      await asAdministrator(serverUrl, async (run) => {
        if (await emptyDatabase(url, await templateShape(run))) {
          await keepDatabase(run, { runFolder: tmpdir(), name });
        } else {
          await run(`drop database if exists ${name} with (force)`);
        }
      });
    },
  };
}

/** The URL for a process of tests, which may pause in a transaction for longer than a service may. */
export function patientDatabaseUrl(url: string): string {
  const patient = new URL(url);
  patient.searchParams.set("idle_in_transaction_session_timeout", String(TEST_MAX_MS));
  return patient.href;
}

/**
 * Drops the template that the tests of a run have copied, and the databases that were kept for its tests, at the end of
 * the run. It has no effect without a PostgreSQL server.
 */
export async function dropTemplate(runFolder: string): Promise<void> {
  try {
    await asAdministrator(postgresServerUrl(), async (run) => {
      await dropKeptDatabases(run, runFolder);
      await run(`drop database if exists ${templateName(runFolder)} with (force)`);
    });
  } catch (cause) {
    if (!(cause instanceof Error && "code" in cause && cause.code === "ECONNREFUSED")) throw cause;
  }
}

export interface ScratchDatabase extends Database {
  readonly url: string;
}

/**
 * Arbitrary numbers of two advisory locks. One test makes the template, or takes a kept database, while the others
 * wait.
 */
const TEMPLATE_LOCK = 7_720_047;
const KEPT_LOCK = 7_720_053;

/** The name of a migrated, unused database. It is made once a run, because migrating takes longer than copying. */
async function migratedTemplate(serverUrl: string, run: RunOnServer): Promise<string> {
  const name = templateName(tmpdir());
  await run(`select pg_advisory_lock(${TEMPLATE_LOCK})`);
  const made = `select from pg_database where datname = '${name}' and not datallowconn`;
  if ((await run(made)).length === 0) {
    await run(`drop database if exists ${name} with (force)`);
    await run(`create database ${name}`);
    const database = await openPostgres(urlOf(serverUrl, name));
    await migrate(database);
    const shape = await databaseShape((text) => database.query(text, []));
    await database.close();
    await run(`comment on database ${name} is '${shape}'`);
    // A session ends a moment after it was closed, and only a database without sessions can be copied.
    await run(
      `select pg_terminate_backend(pid, ${TEST_MAX_MS}) from pg_stat_activity where datname = '${name}'`,
    );
    await run(`alter database ${name} allow_connections false`);
  }
  await run(`select pg_advisory_unlock(${TEMPLATE_LOCK})`);
  return name;
}

/** The shape of every copy of the template, while only rows change. */
async function templateShape(run: RunOnServer): Promise<string> {
  const [row] = await run(
    `select shobj_description(oid, 'pg_database') as shape from pg_database
      where datname = '${templateName(tmpdir())}'`,
  );
  return String(row?.shape);
}

function templateName(runFolder: string): string {
  return `propgate_template_${schemaHash()}_${basename(runFolder).replaceAll(/\W/g, "_")}`;
}

function urlOf(serverUrl: string, name: string): string {
  const url = new URL(serverUrl);
  url.pathname = `/${name}`;
  return url.href;
}

async function asAdministrator(
  url: string,
  work: (run: RunOnServer) => Promise<unknown>,
): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    await work(async (statement) => (await client.query(statement)).rows);
  } finally {
    await client.end();
  }
}

function schemaHash(): string {
  return createHash("sha256").update(JSON.stringify(MIGRATIONS)).digest("hex").slice(0, 16);
}

export function migratedImage(): Promise<DatabaseImage> {
  return databaseImage(`migrated-${schemaHash()}`, async (folder) => {
    const pglite = await PGlite.create({ fs: new NodeFS(folder) });
    const database = createPgliteDatabase(startPgliteSession(pglite));
    await migrate(database);
    await database.close();
  });
}

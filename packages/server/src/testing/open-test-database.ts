import { createHash, randomUUID } from "node:crypto";
import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { PGlite } from "@electric-sql/pglite";
import pg from "pg";
import type { Database } from "../storage/databases/database.ts";
import { createPgliteDatabase, openPgliteMemory } from "../storage/databases/pglite-database.ts";
import { openPostgres } from "../storage/databases/postgres-database.ts";
import { MIGRATIONS, migrate } from "../storage/migrations/migrate.ts";

/** A migrated, empty database in memory, cloned from an image that is made once a machine. */
export async function openTestDatabase(): Promise<Database> {
  return openPgliteMemory(new Blob([new Uint8Array(await migratedImage())]));
}

/** URL of the PostgreSQL server for tests; null when none answers, and its tests are reported as skipped. */
export async function testPostgresUrl(): Promise<string | null> {
  const url = process.env.PROPGATE_TEST_DATABASE_URL ?? "postgres://root@127.0.0.1:5432/test";
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

/** A migrated database of its own on that server, dropped when it is closed. */
export async function openScratchPostgres(serverUrl: string): Promise<ScratchDatabase> {
  const name = `propgate_${randomUUID().replaceAll("-", "")}`;
  await asAdministrator(serverUrl, `create database ${name}`);
  const url = new URL(serverUrl);
  url.pathname = `/${name}`;
  const database = await openPostgres(url.href);
  await migrate(database);
  return {
    ...database,
    url: url.href,
    async close() {
      await database.close();
      await asAdministrator(serverUrl, `drop database if exists ${name} with (force)`);
    },
  };
}

export interface ScratchDatabase extends Database {
  readonly url: string;
}

async function asAdministrator(url: string, statement: string): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  await client.query(statement);
  await client.end();
}

async function migratedImage(): Promise<Buffer> {
  const schema = createHash("sha256").update(JSON.stringify(MIGRATIONS)).digest("hex").slice(0, 16);
  const folder = join(tmpdir(), "propgate-test-images");
  const path = join(folder, `${schema}.tar`);
  if (!existsSync(path)) {
    mkdirSync(folder, { recursive: true });
    const unfinished = `${path}.${process.pid}`;
    writeFileSync(unfinished, await makeImage());
    renameSync(unfinished, path);
  }
  return readFileSync(path);
}

async function makeImage(): Promise<Buffer> {
  const pglite = await PGlite.create({ dataDir: "memory://" });
  const database = createPgliteDatabase({ pglite, abandon: () => undefined });
  await migrate(database);
  const image = await pglite.dumpDataDir("none");
  await database.close();
  return Buffer.from(await image.arrayBuffer());
}

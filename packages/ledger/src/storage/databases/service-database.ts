import { join } from "node:path";
import { MIGRATIONS } from "../migrations/migrate.ts";
import { grantService } from "../migrations/service-role.ts";
import type { Database } from "./database.ts";
import { DatabaseUnusable } from "./database-error.ts";
import { isReadyFolder } from "./database-folder.ts";
import { type DatabaseLocation, openDatabase, openWithoutMigration } from "./open-database.ts";

/** Where a service's data are. Without a URL, the embedded database is in the data folder. */
export interface ServiceDataLocation {
  readonly databaseUrl: string | null;
  readonly dataDir: string;
}

/**
 * Opens the database that the settings of a service name, and migrates it: the server at the URL, or the embedded
 * database in the data folder, which also has the files of the master key and the operator token.
 * @throws DatabaseUnusable
 */
export function openServiceDatabase(place: ServiceDataLocation): Promise<Database> {
  return openDatabase(databasePlace(place));
}

/**
 * Like `openServiceDatabase`, but without the migration. A missing embedded database is created, without tables.
 * @throws DatabaseUnusable
 */
export function openServiceDatabaseWithoutMigration(place: ServiceDataLocation): Promise<Database> {
  return openWithoutMigration(databasePlace(place));
}

/**
 * Migrates the schema at each URL in turn, as the user that the URL names. Unless `grantTo` is null, the role `grantTo`
 * gets the rights that the service needs. Returns the schema's number. When one database fails, the call may be
 * repeated.
 * @throws DatabaseUnusable
 */
export async function migrateDatabases(
  databaseUrls: readonly string[],
  grantTo: string | null,
): Promise<{ readonly schema: number }> {
  for (const [position, databaseUrl] of databaseUrls.entries()) {
    const migrating = migrateDatabase(databaseUrl, grantTo);
    await (databaseUrls.length === 1 ? migrating : nameDatabaseOnFailure(position, migrating));
  }
  return { schema: MIGRATIONS.at(-1)?.number ?? 0 };
}

/** Waits for work on the database at this position of a list. If it fails, the error names the position. */
export async function nameDatabaseOnFailure<Value>(
  position: number,
  work: Promise<Value>,
): Promise<Value> {
  try {
    return await work;
  } catch (cause) {
    if (!(cause instanceof DatabaseUnusable)) throw cause;
    throw new DatabaseUnusable(`Database ${position} of the list: ${cause.message}`, { cause });
  }
}

async function migrateDatabase(databaseUrl: string, grantTo: string | null): Promise<void> {
  const database = await openDatabase({ databaseUrl, dataDir: null });
  try {
    if (grantTo !== null) await grantService(database, grantTo);
  } finally {
    await database.close();
  }
}

/** False only for a data folder that no service has used. True for a server, which only a query can check. */
export function mayHoldServiceData(place: ServiceDataLocation): boolean {
  const { dataDir } = databasePlace(place);
  return dataDir === null || isReadyFolder(dataDir);
}

/** True when the folder is a sandbox's, whose database is directly in it. */
export function isSandboxFolder(dataDir: string): boolean {
  return isReadyFolder(dataDir);
}

function databasePlace({ databaseUrl, dataDir }: ServiceDataLocation): DatabaseLocation {
  return { databaseUrl, dataDir: databaseUrl === null ? join(dataDir, "database") : null };
}

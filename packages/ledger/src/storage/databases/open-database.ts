import { cleanUpAfter } from "@propgate/base";
import { migrate } from "../migrations/migrate.ts";
import type { Database } from "./database.ts";
import { DatabaseUnusable } from "./database-error.ts";
import { openPgliteFolder, openPgliteMemory } from "./pglite-database.ts";
import { openPostgres } from "./postgres-database.ts";

/** Where a database is. */
export interface DatabaseLocation {
  /** URL of a PostgreSQL server; null for the embedded database. */
  readonly databaseUrl: string | null;
  /** Folder of the embedded database; null keeps it in memory. */
  readonly dataDir: string | null;
}

/**
 * Opens the database and brings its schema up to date.
 * @throws DatabaseUnusable with a text for the operator
 */
export async function openDatabase(place: DatabaseLocation): Promise<Database> {
  const database = await openWithoutMigration(place);
  try {
    await migrate(database);
    return database;
  } catch (cause) {
    throw await cleanUpAfter(notMigratedError(cause), () => database.close());
  }
}

function notMigratedError(cause: unknown): DatabaseUnusable {
  if (cause instanceof DatabaseUnusable) return cause;
  const reason = cause instanceof Error ? cause.message : String(cause);
  return new DatabaseUnusable(
    `The database's schema cannot be migrated: ${reason}. Use a database for this service alone that this user may change, or run propgate migrate first as a user that may.`,
    { cause },
  );
}

/**
 * Opens the database without migrating it; it may have no schema.
 * @throws DatabaseUnusable
 */
export function openWithoutMigration({
  databaseUrl,
  dataDir,
}: DatabaseLocation): Promise<Database> {
  if (databaseUrl !== null) return openPostgres(databaseUrl);
  return dataDir === null ? openPgliteMemory() : openPgliteFolder(dataDir);
}

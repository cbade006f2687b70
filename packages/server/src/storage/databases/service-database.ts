import { join } from "node:path";
import { MIGRATIONS } from "../migrations/migrate.ts";
import { grantService } from "../migrations/service-role.ts";
import type { Database } from "./database.ts";
import { isReadyFolder } from "./database-folder.ts";
import { type DatabasePlace, openAsItIs, openDatabase } from "./open-database.ts";

export interface ServicePlace {
  readonly databaseUrl: string | null;
  readonly dataDir: string;
}

/**
 * The database of a service by its settings: the server at the URL, or the one embedded in the data
 * folder, where the master key and the operator's token stand beside it.
 * @throws DatabaseUnusable
 */
export function openServiceDatabase(place: ServicePlace): Promise<Database> {
  return openDatabase(databasePlace(place));
}

/**
 * The same with the schema that it has. An embedded one that is not there yet is made, empty.
 * @throws DatabaseUnusable
 */
export function openServiceDatabaseAsItIs(place: ServicePlace): Promise<Database> {
  return openAsItIs(databasePlace(place));
}

/**
 * Brings the schema at the URL up to date as the user named there, and lets `grantTo`, unless it is
 * null, run the service on it. Answers the schema's number. @throws DatabaseUnusable
 */
export async function migrateDatabase(
  databaseUrl: string,
  grantTo: string | null,
): Promise<{ readonly schema: number }> {
  const database = await openDatabase({ databaseUrl, dataDir: null });
  try {
    if (grantTo !== null) await grantService(database, grantTo);
    return { schema: MIGRATIONS.at(-1)?.number ?? 0 };
  } finally {
    await database.close();
  }
}

/** False only of a data folder that no service has used; a server has to be asked. */
export function mayHoldServiceData(place: ServicePlace): boolean {
  const { dataDir } = databasePlace(place);
  return dataDir === null || isReadyFolder(dataDir);
}

function databasePlace({ databaseUrl, dataDir }: ServicePlace): DatabasePlace {
  return { databaseUrl, dataDir: databaseUrl === null ? join(dataDir, "database") : null };
}

import { join } from "node:path";
import type { Database } from "./database.ts";
import { openDatabase } from "./open-database.ts";

/**
 * The database of a service by its settings: the server at the URL, or the one embedded in the data
 * folder, where the master key and the operator's token stand beside it.
 * @throws DatabaseUnusable
 */
export function openServiceDatabase(place: {
  readonly databaseUrl: string | null;
  readonly dataDir: string;
}): Promise<Database> {
  const { databaseUrl, dataDir } = place;
  return openDatabase({
    databaseUrl,
    dataDir: databaseUrl === null ? join(dataDir, "database") : null,
  });
}

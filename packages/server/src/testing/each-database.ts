import { afterAll, beforeAll, describe } from "vitest";
import type { Database } from "../../../ledger/src/storage/databases/database.ts";
import {
  openNewScratchPostgres,
  openScratchPostgres,
  openTestDatabase,
  testPostgresUrl,
} from "./open-test-database.ts";

/**
 * Runs the same tests on both databases, each migrated, empty and removed afterwards. Without a PostgreSQL server its
 * half is reported as skipped. With another `openPglite` than the default, the PostgreSQL database is a new one too, as
 * tests of plans need it.
 */
export async function describeOnEachDatabase(
  title: string,
  define: (database: () => Database) => void,
  openPglite: () => Promise<Database> = openTestDatabase,
): Promise<void> {
  describe(`${title}, on PGlite`, () => define(opened(openPglite)));
  const url = await testPostgresUrl();
  describe.skipIf(url === null)(`${title}, on PostgreSQL`, () => {
    const openPostgres =
      openPglite === openTestDatabase ? openScratchPostgres : openNewScratchPostgres;
    define(opened(() => openPostgres(url ?? "")));
  });
}

function opened(open: () => Promise<Database>): () => Database {
  let database: Database | null = null;
  beforeAll(async () => {
    database = await open();
  });
  afterAll(async () => {
    await database?.close();
  });
  return () => {
    if (database === null) throw new Error("a test asks for its database before it is open");
    return database;
  };
}

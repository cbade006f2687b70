import { afterAll, beforeAll, describe } from "vitest";
import type { Database } from "../../../ledger/src/storage/databases/database.ts";
import {
  openNewScratchPostgres,
  openScratchPostgres,
  openTestDatabase,
  testPostgresUrl,
} from "./open-test-database.ts";

/**
 * Runs the same tests on both kinds of database. Each database is migrated and empty, and is closed after the tests.
 * Without a PostgreSQL server, its half of the tests is reported as skipped. With an `openPglite` other than the
 * default, the PostgreSQL database is a new one too, because tests of query plans need a new one.
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

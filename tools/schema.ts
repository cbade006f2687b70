import { writeFileSync } from "node:fs";
import { describeSchema } from "../packages/ledger/src/storage/databases/describe-schema.ts";
import { openTestDatabase } from "../packages/server/src/testing/open-test-database.ts";

/** Writes `schema.sql` of the ledger's migrations; a test fails when the file is stale. */
const database = await openTestDatabase();
writeFileSync(
  new URL("../packages/ledger/src/storage/migrations/schema.sql", import.meta.url),
  await describeSchema(database),
);
await database.close();

import type { Database } from "../../../ledger/src/storage/databases/database.ts";

/** Renames the table while `work` runs, so that every write to it fails. */
export async function withBrokenTable(
  database: Database,
  table: string,
  work: () => Promise<void>,
): Promise<void> {
  await database.query(`alter table ${table} rename to ${table}_elsewhere`);
  try {
    await work();
  } finally {
    await database.query(`alter table ${table}_elsewhere rename to ${table}`);
  }
}

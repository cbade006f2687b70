import type { Database } from "../../../ledger/src/storage/databases/database.ts";
import { readTableColumns } from "../../../ledger/src/storage/stores/table-rows.ts";

/** The table of migrations is not kept, because the schema never goes back. */
const MIGRATIONS_TABLE = "schema_migrations";

/**
 * Keeps all present rows of the database, in tables of the schema `kept`. The returned function restores them, as after
 * a failover to a server without the last commits, or a restore under running processes.
 */
export async function keepAllRows(database: Database): Promise<() => Promise<void>> {
  const tables = [...(await readTableColumns(database)).keys()].filter(
    (name) => name !== MIGRATIONS_TABLE,
  );
  await database.transaction(async (transaction) => {
    await transaction.query("create schema if not exists kept", []);
    for (const table of tables) {
      await transaction.query(`drop table if exists kept.${table}`, []);
      await transaction.query(`create table kept.${table} as table public.${table}`, []);
    }
  });
  return () =>
    database.transaction(async (transaction) => {
      // No trigger fires for the restored rows.
      await transaction.query("set local session_replication_role = replica", []);
      for (const table of tables) {
        await transaction.query(`delete from public.${table}`, []);
        await transaction.query(
          `insert into public.${table} overriding system value table kept.${table}`,
          [],
        );
      }
    });
}

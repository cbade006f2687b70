import type { Database } from "../storage/databases/database.ts";
import { type Column, columnsOf, insertRows, rowPages } from "../storage/stores/table-rows.ts";
import { BACKUP_TABLES } from "../trading/backup/backup-tables.ts";

interface KeptTable {
  readonly table: string;
  readonly columns: readonly Column[];
  readonly rows: readonly (readonly (string | null)[])[];
}

const PAGE = 1_000;

/**
 * Keeps what the database has now. The result brings it back, as a failover to a server without the last commits or a
 * restore under running processes does.
 */
export async function keepMoment(database: Database): Promise<() => Promise<void>> {
  const columns = await columnsOf(database);
  const kept: KeptTable[] = [];
  await database.transaction(async (transaction) => {
    for (const { name, key } of BACKUP_TABLES) {
      const table = { name, key, columns: columns.get(name) ?? [] };
      const rows: (string | null)[][] = [];
      for await (const lines of rowPages(transaction, table, PAGE)) {
        for (const line of lines) rows.push(JSON.parse(line) as (string | null)[]);
      }
      kept.push({ table: name, columns: table.columns, rows });
    }
  });
  return () =>
    database.transaction(async (transaction) => {
      for (const { table, columns: all, rows } of kept) {
        await transaction.query(`delete from ${table}`, []);
        if (rows.length > 0) await insertRows(transaction, { table, columns: all }, rows);
      }
    });
}

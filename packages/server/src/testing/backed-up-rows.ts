import type { Queryable } from "../../../ledger/src/storage/databases/database.ts";
import { readTableColumns } from "../../../ledger/src/storage/stores/table-rows.ts";
import {
  type BackupTable,
  backupColumns,
} from "../../../ledger/src/trading/backup/backup-tables.ts";

/** The rows of a table with the columns that a backup has, sorted by the table's key. */
export async function backedUpRows(
  database: Queryable,
  table: BackupTable,
  where = "",
): Promise<readonly unknown[]> {
  const { name, key } = table;
  const known = (await readTableColumns(database)).get(name) ?? [];
  const columns = backupColumns(table, known).map((column) => column.name);
  const rows = `select ${columns.join(", ")} from ${name} ${where}`;
  return database.query(`select t::text as row from (${rows}) t order by ${key.join(", ")}`, []);
}

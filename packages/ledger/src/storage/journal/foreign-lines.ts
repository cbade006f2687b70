import type { Queryable } from "../databases/database.ts";

/**
 * SQL that is true when the journal has a transaction id that this server has not reached. A copy that `pg_dump` made
 * keeps the ids of the server from which it was made.
 */
export const HAS_FOREIGN_LINES_SQL = `exists (
  select 1 from journal where transaction_id >= pg_snapshot_xmax(pg_current_snapshot()))`;

/**
 * SQL for the owner of the tables. It gives the lines with foreign transaction ids a transaction id of this server. All
 * earlier lines keep their transaction ids, so the lines of an account stay in their order.
 */
export const ADOPT_FOREIGN_LINES_SQL =
  "update journal set transaction_id = pg_current_xact_id() where transaction_id >= pg_snapshot_xmax(pg_current_snapshot())";

/** True when the journal has lines of transactions that this server has not reached. */
export async function hasForeignLines(database: Queryable): Promise<boolean> {
  const [row] = await database.query<{ readonly found: boolean }>(
    `select ${HAS_FOREIGN_LINES_SQL} as found`,
    [],
  );
  return row?.found === true;
}

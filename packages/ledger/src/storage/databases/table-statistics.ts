import type { Queryable } from "./database.ts";

const ROWS = `
  select coalesce(whole.relname, part.relname)::text as "table", sum(part.n_live_tup)::text as rows
  from pg_stat_user_tables part
  left join pg_inherits on inhrelid = part.relid
  left join pg_class whole on whole.oid = inhparent
  where part.schemaname = current_schema()
  group by 1`;

/**
 * The estimated number of rows of each table, from the database's own statistics, which cost no scan of a table. Rows
 * of partitions count for their table.
 */
export async function estimateTableRows(database: Queryable): Promise<ReadonlyMap<string, number>> {
  const found = await database.query<{ table: string; rows: string }>(ROWS, []);
  return new Map(found.map(({ table, rows }) => [table, Number(rows)]));
}

import type { Queryable } from "../databases/database.ts";

/** The database's own statistics, which cost no scan of a table. */
export interface StatisticsStore {
  /** Estimated rows by table; those of partitions count for their table. */
  rows(): Promise<ReadonlyMap<string, number>>;
}

const ROWS = `
  select coalesce(whole.relname, part.relname)::text as "table", sum(part.n_live_tup)::text as rows
  from pg_stat_user_tables part
  left join pg_inherits on inhrelid = part.relid
  left join pg_class whole on whole.oid = inhparent
  where part.schemaname = current_schema()
  group by 1`;

export function createStatisticsStore(database: Queryable): StatisticsStore {
  return {
    async rows() {
      const found = await database.query<{ table: string; rows: string }>(ROWS, []);
      return new Map(found.map(({ table, rows }) => [table, Number(rows)]));
    },
  };
}

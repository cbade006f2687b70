/** The statements that delete all rows of a migrated database; its migrations stay. */
export async function deletionStatements(
  query: (text: string) => Promise<readonly Record<string, unknown>[]>,
): Promise<readonly string[]> {
  const tables = await query(
    `select relname as name from pg_class
      where relkind = 'r' and relnamespace = 'public'::regnamespace
        and relname <> 'schema_migrations' and pg_relation_size(oid) > 0`,
  );
  return tables.map(({ name }) => `delete from ${String(name)}`);
}

import type { Queryable } from "../databases/database.ts";

/** A column of a database table. */
export interface Column {
  readonly name: string;
  /** The type in SQL, such as `bigint` or `text[]`. */
  readonly type: string;
}

/**
 * The columns of every table in the current schema, in order. Tables that are partitions of another table are left out.
 */
export async function readTableColumns(
  database: Queryable,
): Promise<ReadonlyMap<string, readonly Column[]>> {
  const rows = await database.query<Column & { readonly table: string }>(COLUMNS, []);
  const tables = new Map<string, Column[]>();
  for (const { table, ...column } of rows) {
    const columns = tables.get(table) ?? [];
    tables.set(table, columns);
    columns.push(column);
  }
  return tables;
}

const COLUMNS = `
select c.relname as table, a.attname as name, format_type(a.atttypid, a.atttypmod) as type
from pg_attribute a join pg_class c on c.oid = a.attrelid
where c.relnamespace = current_schema()::regnamespace and c.relkind in ('r', 'p')
  and not c.relispartition and a.attnum > 0 and not a.attisdropped
order by c.relname, a.attnum`;

/** The number of the newest migration; 0 when the database has no schema. */
export async function readSchemaNumber(database: Queryable): Promise<number> {
  const [table] = await database.query<{ readonly name: string | null }>(
    "select to_regclass('schema_migrations')::text as name",
    [],
  );
  if (table?.name == null) return 0;
  const rows = await database.query<{ readonly newest: number | null }>(
    "select max(number) as newest from schema_migrations",
    [],
  );
  return rows[0]?.newest ?? 0;
}

/**
 * True when the table has a row. `table` becomes part of the statement, so it must be a constant of the source code.
 */
export async function hasRows(database: Queryable, table: string): Promise<boolean> {
  return (await database.query(`select 1 from ${table} limit 1`, [])).length > 0;
}

/**
 * Inserts rows of text values. `columns` must come from `readTableColumns`, because their names become part of the
 * statement.
 */
export async function insertRows(
  transaction: Queryable,
  into: { readonly table: string; readonly columns: readonly Column[] },
  rows: readonly (readonly (string | null)[])[],
): Promise<void> {
  const { table, columns } = into;
  const names = columns.map(({ name }) => name).join(", ");
  const lists = columns.map((_, index) => `$${index + 1}::text[]`);
  const values = columns.map(({ name, type }) => `given.${name}::${type}`);
  await transaction.query(
    `insert into ${table} (${names})
     select ${values.join(", ")} from unnest(${lists.join(", ")}) as given (${names})`,
    columns.map((_, index) => rows.map((row) => row[index] ?? null)),
  );
}

/** Makes the transaction read-only. All its reads see the data as they are at the moment of the first read. */
export async function makeRepeatableRead(transaction: Queryable): Promise<void> {
  await transaction.query("set transaction isolation level repeatable read, read only");
}

/**
 * Reads a table in the order of `key`, in pages of at most `limit` rows. Each row becomes a JSON list of its columns as
 * text.
 */
export async function* rowPages(
  database: Queryable,
  table: {
    readonly name: string;
    readonly key: readonly string[];
    readonly columns: readonly Column[];
  },
  limit: number,
): AsyncGenerator<readonly string[]> {
  const { name, key, columns } = table;
  const types = key.map((one) => columns.find((column) => column.name === one)?.type ?? "text");
  const given = types.map((type, index) => `$${index + 1}::text::${type}`).join(", ");
  const from = `from ${name}`;
  // The database writes the JSON, which is faster than reading the rows and writing it here.
  const text = (where: string): string => `
    with page as materialized (
      select * ${from} ${where} order by ${key.join(", ")} limit ${limit}
    )
    select string_agg(json_build_array(${columns.map((one) => `${one.name}::text`).join(", ")})::text,
        e'\\n' order by ${key.join(", ")}) as lines,
      (select array[${key.map((one) => `${one}::text`).join(", ")}] from page
       order by ${key.map((one) => `${one} desc`).join(", ")} limit 1) as last
    from page`;
  const first = text("");
  const next = text(`where (${key.join(", ")}) > (${given})`);
  let after: readonly string[] | null = null;
  for (;;) {
    const page: readonly PageRow[] = await database.query<PageRow>(
      after === null ? first : next,
      after ?? [],
    );
    const { lines = null, last = null } = page[0] ?? {};
    if (lines === null) return;
    const whole = lines.split("\n");
    yield whole;
    if (whole.length < limit) return;
    after = last;
  }
}

interface PageRow {
  readonly lines: string | null;
  readonly last: readonly string[] | null;
}

/** The numbers of accounts, journal lines and keys in the database. */
export async function countStoredRows(
  database: Queryable,
): Promise<{ readonly accounts: number; readonly events: number; readonly keys: number }> {
  const rows = await database.query<{ accounts: string; events: string; keys: string }>(
    `select (select count(*) from accounts) as accounts,
       (select coalesce(sum(version), 0) from accounts) as events,
       (select count(*) from keys) as keys`,
    [],
  );
  return {
    accounts: Number(rows[0]?.accounts),
    events: Number(rows[0]?.events),
    keys: Number(rows[0]?.keys),
  };
}

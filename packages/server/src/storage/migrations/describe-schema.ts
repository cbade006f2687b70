import type { Queryable } from "../databases/database.ts";

/**
 * The schema of a migrated database as text to read and to review, table by table. Not for running:
 * the migrations make the schema.
 */
export async function describeSchema(database: Queryable): Promise<string> {
  const tables = await database.query<TableRow>(TABLES, []);
  const columns = await database.query<ColumnRow>(COLUMNS, []);
  const indexes = await database.query<IndexRow>(INDEXES, []);
  const blocks = tables.map(({ name, partition_key, partitions }) => {
    const lines = columns.filter((one) => one.table === name).map((one) => `  ${columnLine(one)}`);
    const kept = partition_key === null ? "" : ` partition by ${partition_key}`;
    const note = partitions === 0 ? [] : [`-- ${partitions} partitions`];
    const keys = indexes.filter((one) => one.table === name).map((one) => `${one.definition};`);
    return [`create table ${name} (`, lines.join(",\n"), `)${kept};`, ...note, ...keys].join("\n");
  });
  return `-- Made from a migrated database by tools/schema.ts; the migrations are what counts.\n\n${blocks.join("\n\n")}\n`;
}

interface TableRow {
  readonly name: string;
  readonly partition_key: string | null;
  readonly partitions: number;
}

interface ColumnRow {
  readonly table: string;
  readonly name: string;
  readonly type: string;
  readonly required: boolean;
  readonly default: string | null;
}

interface IndexRow {
  readonly table: string;
  readonly definition: string;
}

const TABLES = `
select c.relname as name, lower(pg_get_partkeydef(c.oid)) as partition_key,
  (select count(*)::int from pg_inherits i where i.inhparent = c.oid) as partitions
from pg_class c join pg_namespace n on n.oid = c.relnamespace
where n.nspname = 'public' and c.relkind in ('r', 'p') and not c.relispartition
order by c.relname`;

const COLUMNS = `
select c.relname as table, a.attname as name, format_type(a.atttypid, a.atttypmod) as type,
  a.attnotnull as required, pg_get_expr(d.adbin, d.adrelid) as default
from pg_attribute a join pg_class c on c.oid = a.attrelid
  join pg_namespace n on n.oid = c.relnamespace
  left join pg_attrdef d on d.adrelid = c.oid and d.adnum = a.attnum
where n.nspname = 'public' and c.relkind in ('r', 'p') and a.attnum > 0 and not a.attisdropped
order by c.relname, a.attnum`;

const INDEXES = `
select tablename as table, replace(replace(lower(indexdef), ' on only ', ' on '), 'public.', '') as definition
from pg_indexes where schemaname = 'public' order by tablename, indexname`;

function columnLine({ name, type, required, default: preset }: ColumnRow): string {
  return `${name} ${type}${required ? " not null" : ""}${preset === null ? "" : ` default ${preset}`}`;
}

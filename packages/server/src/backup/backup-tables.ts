import type { Queryable } from "../storage/database.ts";

/** A table as a backup takes it. */
export interface BackupTable {
  readonly name: string;
  /** The primary key, by which it is read page by page. */
  readonly key: readonly string[];
  /**
   * `together`: of one moment, in one transaction with all others of the kind. Rows of the two
   * other kinds never change once they are there, so they can be read afterwards, while the service
   * works: `upToVersion` those with a `seq` that each account had come to at that moment,
   * `everything` all of them, also later ones.
   */
  readonly read: "together" | "upToVersion" | "everything";
}

/**
 * What nobody shall get back: a session that was ended since, a link that was used. Whoever restores
 * a backup signs in again.
 */
export const NOT_BACKED_UP: readonly string[] = [
  "passkey_challenges",
  "sessions",
  "sign_in_failures",
  "sign_in_links",
];

/**
 * Every other table but the list of migrations, of which the header has the newest. More nonces than
 * there were at the moment of the backup do no harm: they are refused, and they were used. Points of
 * a chart may become fewer while they are read; the journal does not go by them.
 */
export const BACKUP_TABLES: readonly BackupTable[] = [
  { name: "settings", key: ["name"], read: "together" },
  { name: "programs", key: ["id", "version"], read: "together" },
  { name: "people", key: ["person_id"], read: "together" },
  { name: "passkeys", key: ["passkey_id"], read: "together" },
  { name: "audit", key: ["audit_id"], read: "together" },
  { name: "keys", key: ["key_id"], read: "together" },
  { name: "key_usage", key: ["key_id"], read: "together" },
  { name: "quotes", key: ["pair"], read: "together" },
  { name: "accounts", key: ["account_id"], read: "together" },
  { name: "payouts", key: ["account_id", "payout_id"], read: "together" },
  { name: "daily_returns", key: ["account_id", "day_start_ms"], read: "together" },
  // Not one that is newer than the journal it speaks of: a nonce without its receipt is ended instead.
  { name: "receipts", key: ["key_id", "nonce"], read: "together" },
  { name: "journal", key: ["account_id", "seq"], read: "upToVersion" },
  { name: "trades", key: ["account_id", "seq"], read: "upToVersion" },
  { name: "equity_points", key: ["account_id", "at_ms"], read: "everything" },
  { name: "nonces", key: ["key_id", "nonce"], read: "everything" },
];

export interface Column {
  readonly name: string;
  /** As SQL writes it: `bigint`, `text[]`. */
  readonly type: string;
}

/** The columns of every table of the database's own schema, in their order; no partitions. */
export async function columnsOf(
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

/** The number of the newest migration; 0 where there is no schema. */
export async function schemaOf(database: Queryable): Promise<number> {
  const there = await database.query<{ readonly it: string | null }>(
    "select to_regclass('schema_migrations')::text as it",
    [],
  );
  if (there[0]?.it == null) return 0;
  const rows = await database.query<{ readonly newest: number | null }>(
    "select max(number) as newest from schema_migrations",
    [],
  );
  return rows[0]?.newest ?? 0;
}

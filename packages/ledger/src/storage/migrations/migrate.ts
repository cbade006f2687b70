import type { Database, Queryable } from "../databases/database.ts";
import { DatabaseUnusable, isLockTimeout } from "../databases/database-error.ts";
import { ACCOUNTS } from "./tables/accounts.ts";
import { ALERTS } from "./tables/alerts.ts";
import { JOURNAL } from "./tables/journal.ts";
import { KEYS } from "./tables/keys.ts";
import { LINKED_ACCOUNTS } from "./tables/linked-accounts.ts";
import { NODES } from "./tables/nodes.ts";
import { PEOPLE } from "./tables/people.ts";
import { PRICES } from "./tables/prices.ts";
import { WEBHOOKS } from "./tables/webhooks.ts";

/** A numbered step of the schema. It runs in one transaction, and there is no step back. */
export interface Migration {
  readonly number: number;
  readonly name: string;
  /** Statements separated by semicolons. */
  readonly sql: string;
}

/** All migrations that this release knows, in order. */
export const MIGRATIONS: readonly Migration[] = [
  {
    number: 1,
    name: "tables",
    sql: [ACCOUNTS, JOURNAL, KEYS, PEOPLE, PRICES, LINKED_ACCOUNTS, NODES, WEBHOOKS, ALERTS].join(
      "",
    ),
  },
];

/** The advisory lock of migrations: an arbitrary number, the same on every node. */
const MIGRATION_LOCK = 7_720_001;
/**
 * The limits of a migration's transaction. It waits a minute for the lock of migrations, and a statement may take any
 * time. A node that is stopped between two statements loses the lock, as in every transaction.
 */
const MIGRATION_LIMITS = { lockWaitMs: 60_000, statementMs: 0 };
/**
 * How long a migration waits for a table's lock. Meanwhile every later statement on the table waits too, such as those
 * of orders.
 */
const TABLE_WAIT_MS = 1_500;
const HELD =
  "another session has locked a table that a migration changes: a migrating node, a backup or a psql session. Start again when it has ended.";

/**
 * Runs the migrations that the database does not have yet, one node at a time.
 * @throws DatabaseUnusable when a newer release has migrated the schema, or another session has locked a table
 */
export async function migrate(
  database: Database,
  migrations: readonly Migration[] = MIGRATIONS,
): Promise<void> {
  // A role without the right to change tables can start on a current schema, because no migration runs then.
  if ((await schemaNumber(database)) === (migrations.at(-1)?.number ?? 0)) return;
  await withMigrationLock(database, async (transaction) => {
    await transaction.query(
      `create table if not exists schema_migrations (number integer primary key, name text not null)`,
    );
    refuseNewer(await newestMigrationOf(transaction), migrations);
  });
  for (const migration of migrations)
    await withMigrationLock(database, (on) => runMigration(on, migration));
}

/**
 * Checks that this release knows the schema of the database.
 * @throws DatabaseUnusable when a newer release has used the database
 */
export async function checkSchemaKnown(database: Database): Promise<void> {
  refuseNewer(await schemaNumber(database), MIGRATIONS);
}

function refuseNewer(newest: number, migrations: readonly Migration[]): void {
  const known = migrations.at(-1)?.number ?? 0;
  if (newest <= known) return;
  throw new DatabaseUnusable(
    `The database has schema ${newest}, this program knows ${known}: it was used by a newer release. Start that one.`,
  );
}

/** Does the work in one transaction under the lock of migrations. */
async function withMigrationLock(
  database: Database,
  work: (transaction: Queryable) => Promise<void>,
): Promise<void> {
  try {
    await database.transaction(async (transaction) => {
      await transaction.query(`select pg_advisory_xact_lock(${MIGRATION_LOCK})`);
      await transaction.query(`set local lock_timeout = ${TABLE_WAIT_MS}`);
      await work(transaction);
    }, MIGRATION_LIMITS);
  } catch (cause) {
    if (!isLockTimeout(cause)) throw cause;
    throw new DatabaseUnusable(`The schema was not changed: ${HELD}`, { cause });
  }
}

/** The number of the database's newest migration; 0 when it has no schema. */
async function schemaNumber(database: Queryable): Promise<number> {
  const [found] = await database.query<{ made: boolean }>(
    "select to_regclass('schema_migrations') is not null as made",
  );
  return found?.made === true ? newestMigrationOf(database) : 0;
}

async function runMigration(
  transaction: Queryable,
  { number, name, sql }: Migration,
): Promise<void> {
  // Another node may have run this migration while this one waited.
  if ((await newestMigrationOf(transaction)) >= number) return;
  await transaction.query(sql);
  await transaction.query("insert into schema_migrations (number, name) values ($1, $2)", [
    number,
    name,
  ]);
}

async function newestMigrationOf(transaction: Queryable): Promise<number> {
  const rows = await transaction.query<{ newest: number | null }>(
    "select max(number) as newest from schema_migrations",
  );
  return rows[0]?.newest ?? 0;
}

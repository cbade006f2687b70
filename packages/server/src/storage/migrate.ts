import type { Database, Queryable } from "./database.ts";
import { DatabaseUnusable } from "./database-error.ts";
import { FIRST_TABLES } from "./migrations/0001-first-tables.ts";
import { PAYOUTS_AND_DAILY_RETURNS } from "./migrations/0002-payouts-and-daily-returns.ts";
import { PROGRAMS } from "./migrations/0003-programs.ts";
import { DUE_IN_ORDER } from "./migrations/0004-due-in-order.ts";
import { PEOPLE } from "./migrations/0005-people.ts";
import { EQUITY_POINTS } from "./migrations/0006-equity-points.ts";
import { RECEIPTS } from "./migrations/0007-receipts.ts";

/** One step of the schema: forward only, numbered, in one transaction. */
export interface Migration {
  readonly number: number;
  readonly name: string;
  /** Statements separated by semicolons. */
  readonly sql: string;
}

export const MIGRATIONS: readonly Migration[] = [
  FIRST_TABLES,
  PAYOUTS_AND_DAILY_RETURNS,
  PROGRAMS,
  DUE_IN_ORDER,
  PEOPLE,
  EQUITY_POINTS,
  RECEIPTS,
];

/** Any number will do, as long as every node takes the same. */
const MIGRATION_LOCK = 7_720_001;

/**
 * Carries out the migrations that the database has not seen, one node at a time.
 * @throws DatabaseUnusable when a newer program has made the schema
 */
export async function migrate(
  database: Database,
  migrations: readonly Migration[] = MIGRATIONS,
): Promise<void> {
  // A role that may not change tables can start on a schema that is as it should be.
  if ((await schemaNumber(database)) === (migrations.at(-1)?.number ?? 0)) return;
  await database.transaction(async (transaction) => {
    await lock(transaction);
    await transaction.query(
      `create table if not exists schema_migrations (number integer primary key, name text not null)`,
    );
    const newest = await newestOf(transaction);
    const known = migrations.at(-1)?.number ?? 0;
    if (newest > known) {
      throw new DatabaseUnusable(
        `The database has schema ${newest}, this program knows ${known}: it was used by a newer release. Start that one.`,
      );
    }
  });
  for (const migration of migrations) await database.transaction((on) => step(on, migration));
}

/** 0 when nothing has been made there yet. */
async function schemaNumber(database: Queryable): Promise<number> {
  const [found] = await database.query<{ made: boolean }>(
    "select to_regclass('schema_migrations') is not null as made",
  );
  return found?.made === true ? newestOf(database) : 0;
}

async function step(transaction: Queryable, { number, name, sql }: Migration): Promise<void> {
  await lock(transaction);
  // Another node may have carried it out while this one waited.
  if ((await newestOf(transaction)) >= number) return;
  await transaction.query(sql);
  await transaction.query("insert into schema_migrations (number, name) values ($1, $2)", [
    number,
    name,
  ]);
}

async function lock(transaction: Queryable): Promise<void> {
  await transaction.query(`select pg_advisory_xact_lock(${MIGRATION_LOCK})`);
}

async function newestOf(transaction: Queryable): Promise<number> {
  const rows = await transaction.query<{ newest: number | null }>(
    "select max(number) as newest from schema_migrations",
  );
  return rows[0]?.newest ?? 0;
}

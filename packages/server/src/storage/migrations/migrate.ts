import type { Database, Queryable } from "../databases/database.ts";
import { DatabaseUnusable, isLockTimeout } from "../databases/database-error.ts";
import { FIRST_TABLES } from "./first-steps/0001-first-tables.ts";
import { PAYOUTS_AND_DAILY_RETURNS } from "./first-steps/0002-payouts-and-daily-returns.ts";
import { PROGRAMS } from "./first-steps/0003-programs.ts";
import { DUE_IN_ORDER } from "./first-steps/0004-due-in-order.ts";
import { PEOPLE } from "./first-steps/0005-people.ts";
import { EQUITY_POINTS } from "./first-steps/0006-equity-points.ts";
import { RECEIPTS } from "./first-steps/0007-receipts.ts";
import { REJECTED_ORDERS } from "./first-steps/0008-rejected-orders.ts";
import { RECEIPTS_APART } from "./first-steps/0009-receipts-apart.ts";
import { CONFIRMATION } from "./first-steps/0010-confirmation.ts";
import { CHAINED_AUDIT } from "./steps/0011-chained-audit.ts";
import { OPERATOR_TOKENS } from "./steps/0012-operator-tokens.ts";
import { NODES } from "./steps/0013-nodes.ts";
import { REFUSED_REQUESTS } from "./steps/0014-refused-requests.ts";
import { FLOORS_BY_RULE } from "./steps/0015-floors-by-rule.ts";
import { PRICE_CHOICES } from "./steps/0016-price-choices.ts";
import { CANDLE_HOURS } from "./steps/0017-candle-hours.ts";
import { CORPORATE_ACTIONS } from "./steps/0018-corporate-actions.ts";
import { CANDLE_DAYS } from "./steps/0019-candle-days.ts";
import { LINKED_ACCOUNTS } from "./steps/0020-linked-accounts.ts";
import { DECISION_INPUTS } from "./steps/0021-decision-inputs.ts";
import { RECEIPTS_FROM_JOURNAL } from "./steps/0023-receipts-from-journal.ts";
import { NONCE_BLOCKS } from "./steps/0024-nonce-blocks.ts";
import { ACCOUNT_STATES } from "./steps/0025-account-states.ts";
import { SHORTER_ROWS } from "./steps/0026-shorter-rows.ts";
import { LEASES } from "./steps/0027-leases.ts";
import { PARTITIONS } from "./steps/0028-partitions.ts";
import { OWNER_DATABASES } from "./steps/0029-owner-databases.ts";
import { ORDER_LINES } from "./steps/0030-order-lines.ts";
import { LOST_QUOTES } from "./steps/0031-lost-quotes.ts";
import { RESTORED_PAYOUTS } from "./steps/0032-restored-payouts.ts";

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
  REJECTED_ORDERS,
  RECEIPTS_APART,
  CONFIRMATION,
  CHAINED_AUDIT,
  OPERATOR_TOKENS,
  NODES,
  REFUSED_REQUESTS,
  FLOORS_BY_RULE,
  PRICE_CHOICES,
  CANDLE_HOURS,
  CORPORATE_ACTIONS,
  CANDLE_DAYS,
  LINKED_ACCOUNTS,
  DECISION_INPUTS,
  RECEIPTS_FROM_JOURNAL,
  NONCE_BLOCKS,
  ACCOUNT_STATES,
  SHORTER_ROWS,
  LEASES,
  PARTITIONS,
  OWNER_DATABASES,
  ORDER_LINES,
  LOST_QUOTES,
  RESTORED_PAYOUTS,
];

/** An arbitrary number that every node uses. */
const MIGRATION_LOCK = 7_720_001;
/**
 * A node that is stopped between two statements loses the lock, as in every transaction. A statement
 * itself may take any time.
 */
const WAIT = { lockWaitMs: 60_000, statementMs: 0 };
/** Waiting for a table's lock also blocks every later statement on it, such as orders. */
const TABLE_WAIT_MS = 1_500;
const HELD =
  "another session has locked a table that a migration changes: a migrating node, a backup or a psql session. Start again when it has ended.";

/**
 * Runs the migrations that the database does not have yet, one node at a time.
 * @throws DatabaseUnusable when a newer release has migrated the schema
 */
export async function migrate(
  database: Database,
  migrations: readonly Migration[] = MIGRATIONS,
): Promise<void> {
  // A role without the right to change tables can start on a current schema.
  if ((await schemaNumber(database)) === (migrations.at(-1)?.number ?? 0)) return;
  await carryOut(database, async (transaction) => {
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
  for (const migration of migrations) await carryOut(database, (on) => step(on, migration));
}

/** One transaction under the lock of migrations. */
async function carryOut(
  database: Database,
  work: (transaction: Queryable) => Promise<void>,
): Promise<void> {
  try {
    await database.transaction(async (transaction) => {
      await transaction.query(`select pg_advisory_xact_lock(${MIGRATION_LOCK})`);
      await transaction.query(`set local lock_timeout = ${TABLE_WAIT_MS}`);
      await work(transaction);
    }, WAIT);
  } catch (cause) {
    if (!isLockTimeout(cause)) throw cause;
    throw new DatabaseUnusable(`The schema was not changed: ${HELD}`, { cause });
  }
}

/** 0 for a database without a schema. */
async function schemaNumber(database: Queryable): Promise<number> {
  const [found] = await database.query<{ made: boolean }>(
    "select to_regclass('schema_migrations') is not null as made",
  );
  return found?.made === true ? newestOf(database) : 0;
}

async function step(transaction: Queryable, { number, name, sql }: Migration): Promise<void> {
  // Another node may have run it while this one waited.
  if ((await newestOf(transaction)) >= number) return;
  await transaction.query(sql);
  await transaction.query("insert into schema_migrations (number, name) values ($1, $2)", [
    number,
    name,
  ]);
}

async function newestOf(transaction: Queryable): Promise<number> {
  const rows = await transaction.query<{ newest: number | null }>(
    "select max(number) as newest from schema_migrations",
  );
  return rows[0]?.newest ?? 0;
}

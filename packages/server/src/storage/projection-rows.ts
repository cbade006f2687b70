import type { AccountId } from "@propgate/core";
import type { Projections } from "../journal/projections.ts";
import type { Queryable } from "./database.ts";

interface ProjectionTable {
  readonly name: string;
  /** Columns with their types, in the order of `projectionParameters`. */
  readonly columns: readonly (readonly [name: string, type: string])[];
}

const TRADES: ProjectionTable = {
  name: "trades",
  columns: [
    ["account_id", "uuid"],
    ["seq", "bigint"],
    ["trade_id", "text"],
    ["closed_at_ms", "bigint"],
    ["trade", "text"],
  ],
};
const DAILY_RETURNS: ProjectionTable = {
  name: "daily_returns",
  columns: [
    ["account_id", "uuid"],
    ["day_start_ms", "bigint"],
    ["percent", "float8"],
  ],
};
const PAYOUTS: ProjectionTable = {
  name: "payouts",
  columns: [
    ["account_id", "uuid"],
    ["payout_id", "text"],
    ["period_start_ms", "bigint"],
    ["period_end_ms", "bigint"],
    ["seq", "bigint"],
    ["status", "text"],
    ["payout", "text"],
  ],
};
const TABLES: readonly ProjectionTable[] = [TRADES, DAILY_RETURNS, PAYOUTS];

/**
 * Three inserts to stand among the parts of one statement; their parameters begin at `$first`
 * and are those of `projectionParameters`. A payout that is there already reads what comes last.
 */
export function projectionInserts(first: number): string {
  const insert = (table: ProjectionTable): string => insertInto(table, first);
  return `traded as (${insert(TRADES)}), ended as (${insert(DAILY_RETURNS)}), paid as (
${insert(PAYOUTS)} on conflict (account_id, payout_id)
  do update set status = excluded.status, payout = excluded.payout)`;
}

export function projectionParameters(rows: Projections): readonly (readonly unknown[])[] {
  const { trades, dailyReturns, payouts } = rows;
  return [
    trades.map((trade) => trade.accountId),
    trades.map((trade) => trade.seq),
    trades.map((trade) => trade.tradeId),
    trades.map((trade) => trade.closedAtMs),
    trades.map((trade) => trade.trade),
    dailyReturns.map((day) => day.accountId),
    dailyReturns.map((day) => day.dayStartMs),
    dailyReturns.map((day) => day.percent),
    payouts.map((payout) => payout.accountId),
    payouts.map((payout) => payout.payoutId),
    payouts.map((payout) => payout.periodStartMs),
    payouts.map((payout) => payout.periodEndMs),
    payouts.map((payout) => payout.seq),
    payouts.map((payout) => payout.status),
    payouts.map((payout) => payout.payout),
  ];
}

/** Whether these rows, all of them and no others, are stored of the account. */
export async function hasProjections(
  database: Queryable,
  account: AccountId,
  rows: Projections,
): Promise<boolean> {
  const found = await database.query<{ readonly differs: boolean }>(COMPARE, [
    account,
    ...projectionParameters(rows),
  ]);
  return found[0]?.differs === false;
}

/** Within a transaction that holds the account. */
export async function replaceProjections(
  transaction: Queryable,
  account: AccountId,
  rows: Projections,
): Promise<void> {
  for (const { name } of TABLES) {
    await transaction.query(`delete from ${name} where account_id = $1`, [account]);
  }
  await transaction.query(`with ${projectionInserts(1)} select`, projectionParameters(rows));
}

function insertInto(table: ProjectionTable, first: number): string {
  return `insert into ${table.name} (${columnsOf(table)}) select * from ${given(table, first)}`;
}

/** The rows of a table as its parameters give them. */
function given(table: ProjectionTable, first: number): string {
  const before = TABLES.slice(0, TABLES.indexOf(table)).flatMap(({ columns }) => columns).length;
  const lists = table.columns.map(([, type], index) => `$${first + before + index}::${type}[]`);
  return `unnest(${lists.join(", ")})`;
}

function columnsOf({ columns }: ProjectionTable): string {
  return columns.map(([name]) => name).join(", ");
}

/** The database compares, so that a number is not taken for another one by how it is written. */
const COMPARE = `select ${TABLES.map(differs).join(" or ")} as differs`;

function differs(table: ProjectionTable): string {
  const stored = `select ${columnsOf(table)} from ${table.name} where account_id = $1`;
  const made = `select * from ${given(table, 2)}`;
  return `exists (${stored} except ${made}) or exists (${made} except ${stored})`;
}

import type { AccountId } from "@propgate/core";
import type { Queryable } from "../databases/database.ts";
import type {
  DailyReturnRow,
  PayoutRow,
  Projections,
  RejectedOrderRow,
  TradeRow,
} from "../journal/projections.ts";
import { columnNames, type ListColumns, type ListSources, listStatement } from "./row-lists.ts";

const TRADES: ListColumns<TradeRow> = [
  ["account_id", "uuid", (trade) => trade.accountId],
  ["seq", "bigint", (trade) => trade.seq],
  ["trade_id", "text", (trade) => trade.tradeId],
  ["closed_at_ms", "bigint", (trade) => trade.closedAtMs],
  ["trade", "text", (trade) => trade.trade],
];
const DAILY_RETURNS: ListColumns<DailyReturnRow> = [
  ["account_id", "uuid", (day) => day.accountId],
  ["day_start_ms", "bigint", (day) => day.dayStartMs],
  ["percent", "float8", (day) => day.percent],
];
const PAYOUTS: ListColumns<PayoutRow> = [
  ["account_id", "uuid", (payout) => payout.accountId],
  ["payout_id", "text", (payout) => payout.payoutId],
  ["period_start_ms", "bigint", (payout) => payout.periodStartMs],
  ["period_end_ms", "bigint", (payout) => payout.periodEndMs],
  ["seq", "bigint", (payout) => payout.seq],
  ["status", "text", (payout) => payout.status],
  ["payout", "text", (payout) => payout.payout],
];
const REJECTED_ORDERS: ListColumns<RejectedOrderRow> = [
  ["account_id", "uuid", (order) => order.accountId],
  ["seq", "bigint", (order) => order.seq],
  ["order_uuid", "text", (order) => order.orderUuid],
  ["rejected_at_ms", "bigint", (order) => order.rejectedAtMs],
  ["code", "text", (order) => order.code],
  ["refusal", "text", (order) => order.refusal],
  ["placed", "text", (order) => order.placed],
];

/** The type of the rows in each list of projections. */
export interface ProjectionLists {
  readonly trades: TradeRow;
  readonly dailyReturns: DailyReturnRow;
  readonly payouts: PayoutRow;
  readonly rejectedOrders: RejectedOrderRow;
}

/** The columns of each list of projections. */
export const PROJECTION_LISTS = {
  trades: TRADES,
  dailyReturns: DAILY_RETURNS,
  payouts: PAYOUTS,
  rejectedOrders: REJECTED_ORDERS,
} as const;

const TABLES: Readonly<Record<keyof ProjectionLists, string>> = {
  trades: "trades",
  dailyReturns: "daily_returns",
  payouts: "payouts",
  rejectedOrders: "rejected_orders",
};

/**
 * The inserts of the rows that meet the condition, as parts of one statement. An existing payout gets its newest state.
 */
export function projectionInserts(from: ListSources<ProjectionLists>, condition = "true"): string {
  const insert = (list: keyof ProjectionLists): string => {
    const columns = columnNames(PROJECTION_LISTS[list]);
    return `insert into ${TABLES[list]} (${columns})
select * from ${from[list]} as p (${columns}) where ${condition}`;
  };
  return `traded as (${insert("trades")}), ended as (${insert("dailyReturns")}), paid as (
${insert("payouts")} on conflict (account_id, payout_id)
  do update set status = excluded.status, payout = excluded.payout),
  rejected as (${insert("rejectedOrders")})`;
}

/** True when the database stores exactly these rows for the account. */
export async function hasProjections(
  database: Queryable,
  account: AccountId,
  rows: Projections,
): Promise<boolean> {
  const found = await database.query<{ readonly differs: boolean }>(COMPARE.text, [
    account,
    ...COMPARE.parameters(rows),
  ]);
  return found[0]?.differs === false;
}

/**
 * Replaces all projections of the account, and empties its index of orders. Call it in a transaction that has locked
 * the account.
 */
export async function replaceProjections(
  transaction: Queryable,
  account: AccountId,
  rows: Projections,
): Promise<void> {
  // The index of orders is filled again when the account's orders are read.
  for (const name of [...Object.values(TABLES), "order_lines", "order_index"]) {
    await transaction.query(`delete from ${name} where account_id = $1`, [account]);
  }
  await transaction.query(INSERT.text, INSERT.parameters(rows));
}

const INSERT = listStatement<ProjectionLists>(
  PROJECTION_LISTS,
  (from) => `with ${projectionInserts(from)} select`,
);

/** The database compares, so that two notations of one number are equal. `$1` is the account. */
const COMPARE = listStatement<ProjectionLists>(
  PROJECTION_LISTS,
  (from) => {
    const lists = ["trades", "dailyReturns", "payouts", "rejectedOrders"] as const;
    return `select ${lists.map((list) => differs(list, from[list])).join(" or ")} as differs`;
  },
  2,
);

function differs(list: keyof ProjectionLists, from: string): string {
  const columns = columnNames(PROJECTION_LISTS[list]);
  const stored = `select ${columns} from ${TABLES[list]} where account_id = $1`;
  const made = `select * from ${from}`;
  return `exists (${stored} except ${made}) or exists (${made} except ${stored})`;
}

/** The projections agree with the newest lines of the journal. */
import type { AccountId } from "@propgate/core";
import type { Queryable } from "../../../packages/ledger/src/storage/databases/database.ts";
import type { Projections } from "../../../packages/ledger/src/storage/journal/projections.ts";

interface Problem {
  readonly accountId: string;
  readonly message: string;
}

interface Row {
  readonly account_id: string;
  readonly row: string;
}

interface DayRow {
  readonly account_id: string;
  readonly day_start_ms: string;
  readonly percent: number;
}

const TRADES = `
select t.account_id, concat_ws(' ', t.seq, t.trade_id, t.closed_at_ms, t.trade) as row
from unnest($1::uuid[], $2::bigint[]) as k (account_id, seq)
  join trades t on t.account_id = k.account_id and t.seq > k.seq
order by t.account_id, t.seq`;

const DAYS = `
select d.account_id, d.day_start_ms, d.percent from daily_returns d
  join unnest($1::uuid[], $2::bigint[]) as k (account_id, day_start_ms)
    on d.account_id = k.account_id and d.day_start_ms >= k.day_start_ms
order by d.account_id, d.day_start_ms`;

const PAYOUTS = `
select p.account_id, concat_ws(' ', p.payout_id, p.period_start_ms, p.period_end_ms, p.status,
  p.payout) as row
from payouts p join unnest($1::uuid[], $2::text[]) as k (account_id, payout_id)
  using (account_id, payout_id)
order by p.account_id, p.payout_id`;

const REJECTED = `
select r.account_id, concat_ws(' ', r.seq, r.order_uuid, r.rejected_at_ms, r.code, r.refusal,
  r.placed) as row
from unnest($1::uuid[], $2::bigint[]) as k (account_id, seq)
  join rejected_orders r on r.account_id = k.account_id and r.seq > k.seq
order by r.account_id, r.seq`;

/**
 * The projections that differ from the rows that new lines make. `before` has the number of the last line that an
 * earlier check read, for every account with new lines.
 */
export async function newProjectionProblems(
  database: Queryable,
  before: ReadonlyMap<AccountId, number>,
  { trades, dailyReturns, payouts, rejectedOrders }: Projections,
): Promise<readonly Problem[]> {
  return [
    ...(trades.length === 0 ? [] : await tradeProblems(database, before, trades)),
    ...(dailyReturns.length === 0 ? [] : await dayProblems(database, dailyReturns)),
    ...(payouts.length === 0 ? [] : await payoutProblems(database, payouts)),
    ...(rejectedOrders.length === 0
      ? []
      : await rejectedProblems(database, before, rejectedOrders)),
  ];
}

async function tradeProblems(
  database: Queryable,
  before: ReadonlyMap<AccountId, number>,
  trades: Projections["trades"],
): Promise<readonly Problem[]> {
  const stored = await database.query<Row>(TRADES, [[...before.keys()], [...before.values()]]);
  const made = trades.map(({ accountId, seq, tradeId, closedAtMs, trade }) =>
    rowOf(accountId, [seq, tradeId, closedAtMs, trade]),
  );
  return differences("trades", stored, made);
}

async function dayProblems(
  database: Queryable,
  days: Projections["dailyReturns"],
): Promise<readonly Problem[]> {
  const firsts = new Map<AccountId, number>();
  for (const { accountId, dayStartMs } of days) {
    firsts.set(accountId, Math.min(dayStartMs, firsts.get(accountId) ?? dayStartMs));
  }
  const rows = await database.query<DayRow>(DAYS, [[...firsts.keys()], [...firsts.values()]]);
  const stored = rows.map((row) => rowOf(row.account_id, [row.day_start_ms, row.percent]));
  const made = days.map(({ accountId, dayStartMs, percent }) =>
    rowOf(accountId, [dayStartMs, percent]),
  );
  return differences("days", stored, made);
}

async function payoutProblems(
  database: Queryable,
  payouts: Projections["payouts"],
): Promise<readonly Problem[]> {
  const keys = [payouts.map(({ accountId }) => accountId), payouts.map((one) => one.payoutId)];
  const made = payouts.map(({ accountId, payoutId, periodStartMs, periodEndMs, ...payout }) =>
    rowOf(accountId, [payoutId, periodStartMs, periodEndMs, payout.status, payout.payout]),
  );
  return differences("payouts", await database.query<Row>(PAYOUTS, keys), made);
}

/** The rejected orders and their reasons that differ from the journal. @rule D10.rejected */
async function rejectedProblems(
  database: Queryable,
  before: ReadonlyMap<AccountId, number>,
  rejected: Projections["rejectedOrders"],
): Promise<readonly Problem[]> {
  const stored = await database.query<Row>(REJECTED, [[...before.keys()], [...before.values()]]);
  const made = rejected.map(({ accountId, ...one }) => {
    const { seq, orderUuid, rejectedAtMs, code, refusal, placed } = one;
    const reason = refusal === null ? [] : [refusal];
    return rowOf(accountId, [seq, orderUuid, rejectedAtMs, code, ...reason, placed]);
  });
  return differences("rejected orders", stored, made);
}

function differences(
  what: string,
  stored: readonly Row[],
  made: readonly Row[],
): readonly Problem[] {
  const [one, other] = [listOf(stored), listOf(made)];
  if (one === other) return [];
  const accountId = made[0]?.account_id ?? stored[0]?.account_id ?? "";
  return [{ accountId, message: `${what} are ${one}, by the journal ${other}` }];
}

function rowOf(accountId: string, columns: readonly (string | number)[]): Row {
  return { account_id: accountId, row: columns.join(" ") };
}

function listOf(rows: readonly Row[]): string {
  return JSON.stringify(rows.map(({ account_id: id, row }) => `${id} ${row}`).sort());
}

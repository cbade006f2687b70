import type { Migration } from "../migrate.ts";

/**
 * Why: payouts and daily returns only grow in number, so they have separate tables instead of being in
 * the account's state. Can older code still run: no, it would end days without storing their returns;
 * stop every node first. Locks: none, both tables are new.
 *
 * `payout` is JSON stored as text, like a trade. Its status has its own column, so that a search for
 * unpaid payouts does not read paid ones.
 */
export const PAYOUTS_AND_DAILY_RETURNS: Migration = {
  number: 2,
  name: "payouts-and-daily-returns",
  sql: `
create table payouts (
  account_id uuid not null,
  payout_id text collate "C" not null,
  period_start_ms bigint not null,
  period_end_ms bigint not null,
  seq bigint not null,
  status text not null,
  payout text not null,
  primary key (account_id, payout_id)
);
create index payouts_newest on payouts (account_id, period_start_ms, payout_id);
create index payouts_unpaid on payouts (period_end_ms, payout_id, status) where status <> 'paid';

create table daily_returns (
  account_id uuid not null,
  day_start_ms bigint not null,
  percent double precision not null,
  primary key (account_id, day_start_ms)
);
`,
};

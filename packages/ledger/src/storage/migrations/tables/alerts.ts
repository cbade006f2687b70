/**
 * Alerts report to owners and operators what no journal has. A row is written in the transaction of the change that it
 * reports, in the same database. Within a second it gets its number, in the database of its owner. In `alert_heads`,
 * `owner` is empty for the operator's alerts, `number` is the newest number, and `transaction_id` is the last
 * transaction that gave an alert of this owner a number. `data` is JSON.
 */
export const ALERTS = `
create table alerts (
  alert_id text collate "C" primary key,
  owner_id text collate "C",
  number bigint,
  account_id uuid,
  type text not null,
  at_ms bigint not null,
  data text not null,
  recorded bigint generated always as identity
);
create unique index alerts_numbered on alerts ((coalesce(owner_id, '')), number) where number is not null;
create index alerts_new on alerts (recorded) where number is null;
create index alerts_time on alerts (at_ms);

create table alert_heads (
  owner text collate "C" primary key,
  number bigint not null,
  transaction_id xid8 not null default pg_current_xact_id()
) with (fillfactor = 70);
create index alert_heads_transactions on alert_heads (transaction_id);
`;

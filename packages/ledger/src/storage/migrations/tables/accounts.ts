/**
 * Accounts of this service and the rows that are derived from their journals. Primary keys of owned rows begin with the
 * account or the API key, so that the tables can be split. Times are whole milliseconds since 1970. `event` is JSON
 * stored as text, because the journal hashes its exact bytes. `state`, `trade`, `payout` and `floors` are JSON as text
 * too: no query looks into them.
 *
 * `account_states` has the state of an account at some version. The journal lines after that version lead to the state
 * at the account's own version. Disk pages keep free space, so that an update stays in its page and changes no index.
 *
 * `partition_of` never changes: leases and test vectors depend on it. `quote_epoch` and `quote_number` identify the
 * newest quote that a decision on the account has read, so that no other node decides the account at an older quote.
 * After a crash that lost quotes, `lost_epoch` keeps their epoch, however often the account moves between processes.
 * `last_at_ms` is the time of the account's newest line, and no later line may be older. `last_order_at_ms` is the time
 * of its last accepted order, `last_activity_at_ms` that of the last line that a person or a key caused, and
 * `ended_at_ms` that of its end.
 */
export const ACCOUNTS = `
create table accounts (
  account_id uuid primary key,
  owner_id text not null,
  status text not null check (status in ('provisioning', 'active', 'eliminated', 'closed')),
  version bigint not null,
  head_hash bytea not null,
  exposed boolean not null,
  due_at_ms bigint,
  created_at_ms bigint not null,
  network text not null default 'embedded',
  quote_epoch bigint not null default 0,
  quote_number bigint not null default 0,
  lost_epoch bigint not null default 0,
  last_at_ms bigint not null default 0,
  last_order_at_ms bigint,
  last_activity_at_ms bigint,
  ended_at_ms bigint,
  constraint accounts_network_check check (case network
    when 'embedded' then true
    when 'vanta' then not exposed and due_at_ms is null
    else false end)
) with (fillfactor = 80);
create function partition_of(account uuid) returns integer
  language sql immutable strict parallel safe
  return get_byte(sha256(uuid_send(account)), 0);
create index accounts_owner on accounts (owner_id);
create index accounts_due on accounts (due_at_ms, account_id) where due_at_ms is not null;
create index accounts_exposed on accounts (partition_of(account_id), account_id) where exposed;

create table account_states (
  account_id uuid primary key,
  version bigint not null,
  state text not null
) with (fillfactor = 70);

create table owner_databases (
  owner_id text primary key,
  number smallint not null check (number >= 0 and number < 64)
);

create table owner_maxima (
  owner_id text primary key,
  accounts_max integer not null check (accounts_max >= 0)
);

create table external_ids (
  external_id text collate "C" primary key,
  account_id uuid not null unique
);

create table trades (
  account_id uuid not null,
  seq bigint not null,
  trade_id text not null,
  closed_at_ms bigint not null,
  trade text not null,
  primary key (account_id, seq)
);
create index trades_by_id on trades using hash (trade_id);

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

create table restored_payouts (
  account_id uuid not null,
  payout_id text not null,
  primary key (account_id, payout_id)
);

create table daily_returns (
  account_id uuid not null,
  day_start_ms bigint not null,
  percent double precision not null,
  primary key (account_id, day_start_ms)
);

-- Amounts are micro USD. Floors are the lowest equity that does not breach a limit, by rule; {} when none binds.
create table equity_points (
  account_id uuid not null,
  at_ms bigint not null,
  equity bigint not null,
  balance bigint not null,
  floors text not null,
  primary key (account_id, at_ms)
);
`;

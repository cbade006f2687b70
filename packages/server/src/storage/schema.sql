-- Made from a migrated database by tools/schema.ts; the migrations are what counts.

create table accounts (
  account_id uuid not null,
  owner_id text not null,
  status text not null,
  version bigint not null,
  state text not null,
  head_hash bytea not null,
  exposed boolean not null,
  due_at_ms bigint,
  created_at_ms bigint not null
);
create index accounts_due on accounts using btree (due_at_ms, account_id) where (due_at_ms is not null);
create index accounts_exposed on accounts using btree (account_id) where exposed;
create index accounts_owner on accounts using btree (owner_id);
create unique index accounts_pkey on accounts using btree (account_id);

create table daily_returns (
  account_id uuid not null,
  day_start_ms bigint not null,
  percent double precision not null
);
create unique index daily_returns_pkey on daily_returns using btree (account_id, day_start_ms);

create table equity_points (
  account_id uuid not null,
  at_ms bigint not null,
  equity bigint not null,
  balance bigint not null,
  daily_floor bigint,
  max_floor bigint
);
create unique index equity_points_pkey on equity_points using btree (account_id, at_ms);

create table journal (
  account_id uuid not null,
  seq bigint not null,
  at_ms bigint not null,
  origin text not null,
  key_id text,
  nonce text,
  command text not null,
  event text not null,
  hash bytea not null
);
create unique index journal_pkey on journal using btree (account_id, seq);

create table key_usage (
  key_id text not null,
  window_start_ms bigint not null default 0,
  reads integer not null default 0,
  rejections bigint[] not null default '{}'::bigint[],
  cooldown_until_ms bigint,
  last_used_at_ms bigint,
  last_used_from text
);
create unique index key_usage_pkey on key_usage using btree (key_id);

create table keys (
  key_id text not null,
  account_id uuid not null,
  scopes text[] not null,
  label text not null default ''::text,
  addresses text[] not null default '{}'::text[],
  sealed_secret bytea not null,
  created_at_ms bigint not null,
  expires_at_ms bigint,
  revoked_at_ms bigint
);
create index keys_account on keys using btree (account_id);
create unique index keys_pkey on keys using btree (key_id);

create table nonces (
  key_id text not null,
  nonce text not null,
  used_at_ms bigint not null
) partition by hash (key_id);
-- 16 partitions
create unique index nonces_pkey on nonces using btree (key_id, nonce);

create table payouts (
  account_id uuid not null,
  payout_id text not null,
  period_start_ms bigint not null,
  period_end_ms bigint not null,
  seq bigint not null,
  status text not null,
  payout text not null
);
create index payouts_newest on payouts using btree (account_id, period_start_ms, payout_id);
create unique index payouts_pkey on payouts using btree (account_id, payout_id);
create index payouts_unpaid on payouts using btree (period_end_ms, payout_id, status) where (status <> 'paid'::text);

create table programs (
  id text not null,
  version integer not null,
  document text not null,
  added_at_ms bigint not null
);
create unique index programs_pkey on programs using btree (id, version);

create table quotes (
  pair text not null,
  bid double precision not null,
  ask double precision not null,
  at_ms bigint not null
);
create unique index quotes_pkey on quotes using btree (pair);

create table schema_migrations (
  number integer not null,
  name text not null
);
create unique index schema_migrations_pkey on schema_migrations using btree (number);

create table settings (
  name text not null,
  value text not null
);
create unique index settings_pkey on settings using btree (name);

create table trades (
  account_id uuid not null,
  seq bigint not null,
  trade_id text not null,
  closed_at_ms bigint not null,
  trade text not null
);
create unique index trades_pkey on trades using btree (account_id, seq);

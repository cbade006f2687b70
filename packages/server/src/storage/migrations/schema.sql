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

create table answered_questions (
  question_hash bytea not null,
  expires_at_ms bigint not null
);
create index answered_questions_ended on answered_questions using btree (expires_at_ms);
create unique index answered_questions_pkey on answered_questions using btree (question_hash);

create table audit (
  audit_id bigint not null,
  at_ms bigint not null,
  person_id uuid,
  by_name text not null,
  role text not null,
  address text not null,
  deed text not null,
  subject text,
  account_id text,
  detail text,
  succeeded boolean not null,
  hash bytea
);
create index audit_account on audit using btree (account_id, audit_id) where (account_id is not null);
create index audit_deed on audit using btree (deed, audit_id);
create index audit_person on audit using btree (person_id, audit_id) where (person_id is not null);
create unique index audit_pkey on audit using btree (audit_id);

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
  floors text not null
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
  last_used_from text,
  receipts integer not null default 0,
  refused_hour_ms bigint not null default 0,
  refused integer not null default 0,
  unstored_read_ms bigint,
  unstored_write_ms bigint
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
  revoked_at_ms bigint,
  paused_at_ms bigint
);
create index keys_account on keys using btree (account_id);
create unique index keys_pkey on keys using btree (key_id);

create table known_browsers (
  token_hash bytea not null,
  person_id uuid not null,
  last_used_at_ms bigint not null
);
create index known_browsers_person on known_browsers using btree (person_id, last_used_at_ms);
create unique index known_browsers_pkey on known_browsers using btree (token_hash);

create table nodes (
  node_id uuid not null,
  release text not null,
  state_format integer not null,
  catalogue text not null,
  seen_at_ms bigint not null
);
create unique index nodes_pkey on nodes using btree (node_id);

create table nonces (
  key_id text not null,
  nonce text not null,
  used_at_ms bigint not null,
  is_write boolean not null default false,
  was_paused boolean not null default false
) partition by hash (key_id);
-- 16 partitions
create unique index nonces_pkey on nonces using btree (key_id, nonce);

create table operator_tokens (
  name text not null,
  token_hash bytea not null,
  created_by text not null,
  created_at_ms bigint not null,
  expires_at_ms bigint not null,
  revoked_at_ms bigint,
  last_used_at_ms bigint,
  last_used_from text
);
create unique index operator_tokens_pkey on operator_tokens using btree (name);
create unique index operator_tokens_token_hash_key on operator_tokens using btree (token_hash);

create table passkeys (
  passkey_id text not null,
  person_id uuid not null,
  label text not null,
  public_key bytea not null,
  counter bigint not null,
  transports text[] not null,
  created_at_ms bigint not null,
  last_used_at_ms bigint
);
create index passkeys_person on passkeys using btree (person_id);
create unique index passkeys_pkey on passkeys using btree (passkey_id);

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

create table people (
  person_id uuid not null,
  name text not null,
  name_key text not null,
  role text not null,
  owner_id text,
  password text,
  created_at_ms bigint not null,
  disabled_at_ms bigint
);
create unique index people_name_key_key on people using btree (name_key);
create unique index people_pkey on people using btree (person_id);

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

create table receipts (
  key_id text not null,
  nonce text not null,
  decided_at_ms bigint not null,
  status smallint not null,
  result text,
  error text,
  refusal_code text
);
create unique index receipts_pkey on receipts using btree (key_id, nonce);

create table rejected_orders (
  account_id uuid not null,
  seq bigint not null,
  order_uuid text not null,
  rejected_at_ms bigint not null,
  code text not null,
  refusal text,
  placed text not null
);
create unique index rejected_orders_by_id on rejected_orders using btree (account_id, order_uuid);
create unique index rejected_orders_pkey on rejected_orders using btree (account_id, seq);

create table schema_migrations (
  number integer not null,
  name text not null
);
create unique index schema_migrations_pkey on schema_migrations using btree (number);

create table sessions (
  session_id uuid not null,
  token_hash bytea not null,
  person_id uuid not null,
  signed_in_at_ms bigint not null,
  last_seen_at_ms bigint not null,
  ends_at_ms bigint not null,
  address text not null,
  browser text not null,
  confirmed_at_ms bigint
);
create index sessions_person on sessions using btree (person_id);
create unique index sessions_pkey on sessions using btree (session_id);
create unique index sessions_token_hash_key on sessions using btree (token_hash);

create table settings (
  name text not null,
  value text not null
);
create unique index settings_pkey on settings using btree (name);

create table sign_in_failures (
  subject text not null,
  failures integer not null,
  last_at_ms bigint not null,
  blocked_until_ms bigint not null
);
create index sign_in_failures_ended on sign_in_failures using btree (last_at_ms);
create unique index sign_in_failures_pkey on sign_in_failures using btree (subject);

create table sign_in_links (
  person_id uuid not null,
  token_hash bytea not null,
  expires_at_ms bigint not null
);
create unique index sign_in_links_pkey on sign_in_links using btree (person_id);
create unique index sign_in_links_token_hash_key on sign_in_links using btree (token_hash);

create table trades (
  account_id uuid not null,
  seq bigint not null,
  trade_id text not null,
  closed_at_ms bigint not null,
  trade text not null
);
create unique index trades_pkey on trades using btree (account_id, seq);

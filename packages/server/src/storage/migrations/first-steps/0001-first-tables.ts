import type { Migration } from "../migrate.ts";

/**
 * Why: the first schema. Can older code still run: there is none. Locks: none, all tables are new.
 *
 * Primary keys of owned rows begin with the account or the API key, so the tables can be sharded. Times
 * are whole milliseconds since 1970. `state`, `event` and `trade`, which only the network reads, are
 * JSON stored as text, because the journal hashes the exact bytes.
 */
export const FIRST_TABLES: Migration = {
  number: 1,
  name: "first-tables",
  sql: `
create table accounts (
  account_id uuid primary key,
  owner_id text not null,
  status text not null,
  version bigint not null,
  state text not null,
  head_hash bytea not null,
  exposed boolean not null,
  due_at_ms bigint,
  created_at_ms bigint not null
) with (fillfactor = 70);
create index accounts_owner on accounts (owner_id);
create index accounts_due on accounts (due_at_ms) where due_at_ms is not null;
create index accounts_exposed on accounts (account_id) where exposed;

create table journal (
  account_id uuid not null,
  seq bigint not null,
  at_ms bigint not null,
  origin text not null,
  key_id text collate "C",
  nonce text collate "C",
  command text not null,
  event text not null,
  hash bytea not null,
  primary key (account_id, seq)
);

create table trades (
  account_id uuid not null,
  seq bigint not null,
  trade_id text not null,
  closed_at_ms bigint not null,
  trade text not null,
  primary key (account_id, seq)
);

create table keys (
  key_id text collate "C" primary key,
  account_id uuid not null,
  scopes text[] not null,
  label text not null default '',
  addresses text[] not null default '{}',
  sealed_secret bytea not null,
  created_at_ms bigint not null,
  expires_at_ms bigint,
  revoked_at_ms bigint
);
create index keys_account on keys (account_id);

create table nonces (
  key_id text collate "C" not null,
  nonce text collate "C" not null,
  used_at_ms bigint not null,
  primary key (key_id, nonce)
) partition by hash (key_id);
${noncePartitions(16)}

create table key_usage (
  key_id text collate "C" primary key,
  window_start_ms bigint not null default 0,
  reads integer not null default 0,
  rejections bigint[] not null default '{}',
  cooldown_until_ms bigint,
  last_used_at_ms bigint,
  last_used_from text
) with (fillfactor = 50);

create table quotes (
  pair text primary key,
  bid double precision not null,
  ask double precision not null,
  at_ms bigint not null
);

create table settings (
  name text primary key,
  value text not null
);
`,
};

function noncePartitions(count: number): string {
  return Array.from(
    { length: count },
    (_, index) =>
      `create table nonces_${index} partition of nonces for values with (modulus ${count}, remainder ${index});`,
  ).join("\n");
}

import type { Migration } from "../migrate.ts";

/**
 * Why: accounts of a Vanta validator are served beside this service's own. Can older code still run: until the
 * first account is linked; then its `verify` and its backups fail on the linked rows. Locks: `accounts`, for a
 * moment: the column has a constant default, and the check is not made on the rows that are there, which
 * satisfy it by the former `not null`.
 *
 * A linked account has no journal, so its row has no state and no hash, and no work of the clock finds it. Its
 * version is in `accounts`, which admission reads. The readings are long and often unchanged, so they are stored
 * out of line, and an update of the lease copies a short row. An order is in `upstream_orders` before its first
 * byte is sent. While it is `sending`, its nonce gets no receipt by its age.
 */
export const LINKED_ACCOUNTS: Migration = {
  number: 20,
  name: "linked-accounts",
  sql: `
alter table accounts
  add column network text not null default 'embedded',
  alter column state drop not null,
  alter column head_hash drop not null,
  add constraint accounts_network_check check (case network
    when 'embedded' then state is not null and head_hash is not null
    when 'vanta' then state is null and head_hash is null and not exposed and due_at_ms is null
    else false end) not valid;

create table linked_accounts (
  account_id uuid primary key,
  hotkey text collate "C" not null unique,
  subaccount_id bigint not null,
  subaccount_uuid text not null,
  profit_split double precision not null,
  linked_at_ms bigint not null,
  readings text,
  read_at_ms bigint check ((readings is null) = (read_at_ms is null)),
  behind_since_ms bigint,
  tried_at_ms bigint,
  failing_since_ms bigint,
  lease_holder text,
  lease_until_ms bigint check ((lease_holder is null) = (lease_until_ms is null))
) with (fillfactor = 50, toast_tuple_target = 256);

create table linked_records (
  account_id uuid not null,
  kind text collate "C" not null,
  id text collate "C" not null,
  at_ms bigint not null,
  body text not null,
  primary key (account_id, kind, id)
);
create index linked_records_newest on linked_records (account_id, kind, at_ms desc, id desc);

create table upstream_orders (
  order_uuid text collate "C" primary key,
  account_id uuid not null,
  key_id text collate "C",
  nonce text collate "C" check ((key_id is null) = (nonce is null)),
  command text not null,
  created_at_ms bigint not null,
  state text not null default 'sending' check (state in ('sending', 'completed', 'failed', 'never')),
  sent_until_ms bigint,
  attempts integer not null default 0,
  ended_at_ms bigint check ((state = 'sending') = (ended_at_ms is null)),
  lease_holder text,
  lease_until_ms bigint check ((lease_holder is null) = (lease_until_ms is null))
);
create index upstream_orders_sending on upstream_orders (created_at_ms) where state = 'sending';
create index upstream_orders_undecided on upstream_orders (key_id, nonce) where state = 'sending';
`,
};

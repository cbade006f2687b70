/**
 * Accounts of a Vanta validator. Their journal has only events that were read at the validator, so no state follows
 * from it, and they have no due work. `revision` counts the changes of readings, records and orders, of which few have
 * a line. The readings are long and often unchanged, so they are stored out of line, and an update of the lease copies
 * a short row. The health of the service reads the `pairs` of all linked accounts.
 *
 * `seq` of a record is the number of the newest line when the record was stored, so that a backup has no record whose
 * lines it lacks.
 *
 * An order is in `upstream_orders` before its first byte is sent. While it is `sending`, its receipt stays open,
 * however old the order is. Orders may stay `sending` for ever, so the index finds those whose lease is over without
 * reading the others.
 */
export const LINKED_ACCOUNTS = `
create table linked_accounts (
  account_id uuid primary key,
  hotkey text collate "C" not null unique,
  subaccount_id bigint not null,
  subaccount_uuid text not null,
  profit_split double precision not null,
  linked_at_ms bigint not null,
  revision bigint not null default 1,
  readings text,
  pairs text[] not null default '{}',
  read_at_ms bigint check ((readings is null) = (read_at_ms is null)),
  behind_since_ms bigint,
  tried_at_ms bigint,
  failing_since_ms bigint,
  lease_holder text,
  lease_until_ms bigint check ((lease_holder is null) = (lease_until_ms is null))
) with (fillfactor = 50, toast_tuple_target = 256);

create table linked_records (
  account_id uuid not null,
  seq bigint not null,
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
  execution_type text not null,
  trade_pair text,
  command text not null,
  created_at_ms bigint not null,
  state text not null default 'sending' check (state in ('sending', 'completed', 'failed', 'never')),
  sent_until_ms bigint,
  attempts integer not null default 0,
  ended_at_ms bigint check ((state = 'sending') = (ended_at_ms is null)),
  lease_holder text,
  lease_until_ms bigint check ((lease_holder is null) = (lease_until_ms is null))
);
create index upstream_orders_sending on upstream_orders (lease_until_ms, created_at_ms) where state = 'sending';
create index upstream_orders_undecided on upstream_orders (key_id, nonce) where state = 'sending';
`;

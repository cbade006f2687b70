import type { Migration } from "../migrate.ts";

/**
 * Why: with several nodes, each account is decided by one of them, and never at a quote older than the one it was last
 * decided at. So an account belongs to one of 256 partitions, whose owner is in `leases`, and keeps the place of the
 * newest quote that a decision on it has read. `quotes` has the place of each quote, so that a process that starts knows
 * how far the quotes that it restores reach. `nodes` says what each node does, so that the partitions are shared
 * among those that decide, and which process it is, so that a killed one can be replaced immediately. Can older code still run: no, the index that it reads exposed accounts by is gone from its
 * plans; stop all nodes first. Locks: `accounts` until the index is built, about a second for 100,000 exposed accounts.
 *
 * `partition_of` never changes: leases and test vectors depend on it.
 */
export const PARTITIONS: Migration = {
  number: 28,
  name: "partitions",
  sql: `
create function partition_of(account uuid) returns integer
  language sql immutable strict parallel safe
  return get_byte(sha256(uuid_send(account)), 0);

drop index accounts_exposed;
create index accounts_exposed on accounts (partition_of(account_id), account_id) where exposed;

alter table accounts
  add column quote_epoch bigint not null default 0,
  add column quote_number bigint not null default 0;

alter table quotes
  add column epoch bigint not null default 0,
  add column number bigint not null default 0;

alter table nodes
  add column roles text not null default '',
  add column has_bus boolean not null default false,
  add column process text not null default '';
`,
};

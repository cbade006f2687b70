/**
 * The nodes of this database and the work that belongs to one of them at a time.
 *
 * Nodes with different catalogues or releases on one database would decide differently, so each publishes its
 * configuration, and one that differs does not start. It also says what it does, so that the partitions of accounts
 * are shared among those that decide, and which process it is, so that a killed one can be replaced immediately. A
 * lease names a node until a moment of the database's clock, and its epoch grows with every owner, so that the work of
 * a former owner is recognized. Each heartbeat brings the counts of the node's own accounts (`figures`, JSON), which
 * the health of any node adds up.
 */
export const NODES = `
create table nodes (
  node_id uuid primary key,
  release text not null,
  state_format integer not null,
  catalogue text not null,
  seen_at_ms bigint not null,
  roles text not null,
  has_bus boolean not null,
  process text not null,
  figures text
);

create table leases (
  name text primary key,
  owner uuid not null,
  epoch bigint not null,
  lease_until timestamptz not null
);

-- Small values that the service keeps between starts.
create table settings (
  name text primary key,
  value text not null
);
`;

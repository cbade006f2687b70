/**
 * The nodes of this database, and the leases of work that belongs to one node at a time.
 *
 * Nodes with different catalogues or releases on one database would decide differently, so each node publishes its
 * configuration, and a node with another one does not start. The partitions of accounts are shared among the nodes
 * whose `roles` include deciding. `process` identifies the node's process, so that a killed node is recognized and can
 * be replaced immediately. A lease names a node until a moment of the database's clock. Its epoch grows with every
 * claim, so that the work of a former owner is recognized. Each heartbeat updates `figures`, the JSON with counts of
 * the node's own accounts. The health of any node adds up these counts.
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

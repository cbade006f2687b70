import type { Migration } from "../migrate.ts";

/**
 * Why: nodes with different catalogues or releases on one database would decide differently, so each
 * node publishes its configuration, and a node that differs does not start. Can older code still run:
 * yes, it ignores the table. Locks: none, the table is new.
 */
export const NODES: Migration = {
  number: 13,
  name: "nodes",
  sql: `
create table nodes (
  node_id uuid primary key,
  release text not null,
  state_format integer not null,
  catalogue text not null,
  seen_at_ms bigint not null
);
`,
};

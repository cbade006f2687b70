import type { Migration } from "./migrate.ts";

/**
 * Why: nodes on one database with different catalogues or releases decide differently, so each says
 * what it runs with, and a node that differs does not start. Can older code still run: yes, it leaves
 * the table alone. Locks: nothing, the table is new.
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

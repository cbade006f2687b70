import type { Migration } from "../migrate.ts";

/**
 * Why: some work belongs to one node at a time, such as the price feed. A lease names the node until a moment of the
 * database's clock, and its epoch grows with every owner, so the work of a former owner is recognized. Can older code
 * still run: yes, it ignores the table. Locks: none, the table is new.
 */
export const LEASES: Migration = {
  number: 27,
  name: "leases",
  sql: `
create table leases (
  name text primary key,
  owner uuid not null,
  epoch bigint not null,
  lease_until timestamptz not null
);
`,
};

import type { Migration } from "../migrate.ts";

/**
 * Why: with several databases, all accounts of an owner are on one of them, and the first database knows which. Can
 * older code still run: yes, it does not read the table. Locks: none that another session waits for.
 */
export const OWNER_DATABASES: Migration = {
  number: 29,
  name: "owner databases",
  sql: `
create table owner_databases (
  owner_id text primary key,
  number smallint not null check (number >= 0 and number < 64)
);
`,
};

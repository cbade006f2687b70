import type { Migration } from "./migrate.ts";

/**
 * Why: a version of a program may be added while the service runs, and none may change once it has
 * been sold. Can older code still run: yes, it sells what its file says. Locks: nothing, the table
 * is new.
 *
 * `document` is JSON kept as text: what was sold, word for word.
 */
export const PROGRAMS: Migration = {
  number: 3,
  name: "programs",
  sql: `
create table programs (
  id text collate "C" not null,
  version integer not null,
  document text not null,
  added_at_ms bigint not null,
  primary key (id, version)
);
`,
};

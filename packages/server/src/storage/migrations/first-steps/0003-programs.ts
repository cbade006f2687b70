import type { Migration } from "../migrate.ts";

/**
 * Why: a version of a program may be added while the service runs, and a sold version must not change.
 * Can older code still run: yes, it offers the programs of its file. Locks: none, the table is new.
 *
 * `document` is JSON stored as text: the sold terms, word for word.
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

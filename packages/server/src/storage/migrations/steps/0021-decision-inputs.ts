import type { Migration } from "../migrate.ts";

/**
 * Why: each decision records what it was made from, so that it can be repeated with core alone; the instruments of
 * a decision are found by their hash. Can older code still run: yes, and its lines have no inputs. Its `journal verify`
 * does not know the new column, so it reports lines with inputs as altered. Locks: the journal's, for an instant; a
 * nullable column rewrites no row.
 */
export const DECISION_INPUTS: Migration = {
  number: 21,
  name: "decision-inputs",
  sql: `
alter table journal add column inputs text;
create table catalogues (
  hash text collate "C" primary key,
  body text not null
);
`,
};

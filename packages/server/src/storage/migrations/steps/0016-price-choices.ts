import type { Migration } from "../migrate.ts";

/**
 * Why: an operator chooses the price source of a pair, or halts the pair, and a restart must keep that. Can older code
 * still run: yes, it ignores the table. Locks: none, the table is new.
 *
 * A row is the newest choice of its pair; the earlier ones are in the audit. `version` counts the choices of the pair,
 * so that two operators cannot overwrite each other unseen.
 */
export const PRICE_CHOICES: Migration = {
  number: 16,
  name: "price-choices",
  sql: `
create table price_choices (
  pair text collate "C" primary key,
  kind text not null check (kind in ('auto', 'use', 'halt')),
  source text check ((kind = 'use') = (source is not null)),
  reason text,
  chosen_by text not null,
  chosen_at_ms bigint not null,
  version integer not null
);
`,
};

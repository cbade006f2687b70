import type { Migration } from "./migrate.ts";

/**
 * Why: a paused key that went on sending orders left a nonce and a receipt for each, 1.8 MB a second.
 * The nonce now remembers the pause itself, and beyond a ceiling an hour the newest timestamp of what
 * was refused stands for all of them. Can older code still run: yes, but it accepts a request again
 * that a newer node refused beyond the ceiling; exchange all nodes. Locks: `nonces` and `key_usage`,
 * for a moment: the columns have constant defaults, so no row is written.
 */
export const REFUSED_REQUESTS: Migration = {
  number: 14,
  name: "refused-requests",
  sql: `
alter table nonces add column was_paused boolean not null default false;

alter table key_usage
  add column refused_hour_ms bigint not null default 0,
  add column refused integer not null default 0,
  add column unstored_read_ms bigint,
  add column unstored_write_ms bigint;
`,
};

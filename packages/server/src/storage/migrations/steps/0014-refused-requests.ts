import type { Migration } from "../migrate.ts";

/**
 * Why: a paused key that kept sending orders stored a nonce and a receipt for each, 1.8 MB a second. The
 * nonce's row now records the pause. Above an hourly maximum, only the newest timestamp of the refused
 * requests is stored. Can older code still run: yes, but it accepts a replay of a request that a newer
 * node refused without storing its nonce; upgrade all nodes. Locks: `nonces` and `key_usage`, for a
 * moment: the columns have constant defaults, so no row is rewritten.
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

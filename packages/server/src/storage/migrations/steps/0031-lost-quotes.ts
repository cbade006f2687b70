import type { Migration } from "../migrate.ts";

/**
 * Why: after a crash that lost quotes, an account that was decided at them must not be decided at older ones, however
 * often it moves between processes meanwhile. So the account keeps the epoch of these quotes. Can older code still run:
 * yes, it leaves the column as it is. Locks: `accounts` for a moment, because the default is a constant.
 */
export const LOST_QUOTES: Migration = {
  number: 31,
  name: "lost quotes",
  sql: "alter table accounts add column lost_epoch bigint not null default 0;",
};

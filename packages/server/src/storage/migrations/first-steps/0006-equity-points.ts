import type { Migration } from "../migrate.ts";

/**
 * Why: the pages chart an account's equity by the minute, which no event contains. Can older code still
 * run: yes, it writes no points. Locks: none, the table is new.
 *
 * Amounts are micro USD. A floor is the lowest equity that does not breach a limit; null without a limit.
 */
export const EQUITY_POINTS: Migration = {
  number: 6,
  name: "equity-points",
  sql: `
create table equity_points (
  account_id uuid not null,
  at_ms bigint not null,
  equity bigint not null,
  balance bigint not null,
  daily_floor bigint,
  max_floor bigint,
  primary key (account_id, at_ms)
);
`,
};

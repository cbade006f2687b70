import type { Migration } from "./migrate.ts";

/**
 * Why: what an account was worth from minute to minute is in no event, and its owner looks at it.
 * Can older code still run: yes, it writes none. Locks: nothing, the table is new.
 *
 * Amounts are micro USD. A floor is the equity at which a limit is met; null: none binds.
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

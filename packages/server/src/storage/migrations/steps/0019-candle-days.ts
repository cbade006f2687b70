import type { Migration } from "../migrate.ts";

/**
 * Why: a page of candles of days read and joined the hours of years. Can older code still run: yes, it ignores the
 * table, but the hours that it stores are missing in its rows. Locks: none, the table is new.
 *
 * A row joins the rows of a pair's day in `candle_hours`, and is written in the same transaction as each of them:
 * `whole` is the candle of the day, `hours` those of its hours.
 */
export const CANDLE_DAYS: Migration = {
  number: 19,
  name: "candle-days",
  sql: `
create table candle_days (
  pair text collate "C" not null,
  day_ms bigint not null,
  whole bytea not null,
  hours bytea not null,
  primary key (pair, day_ms)
);
create index candle_days_by_day on candle_days (day_ms);
`,
};

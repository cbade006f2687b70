import type { Migration } from "../migrate.ts";

/**
 * Why: candles outlive the tape that they are counted from, and a chart of a year cannot read a year of quotes. Can
 * older code still run: yes, it ignores the table. Locks: none, the table is new.
 *
 * A row has the minutes of one pair and hour. `epoch` and `number` name the last quote that it counts, received at
 * `last_ms`, so that a restarted service counts no quote twice. `whole` is the candle of the hour, `minutes` those of
 * its minutes, both packed by `prices/candles/packed-candles.ts`.
 */
export const CANDLE_HOURS: Migration = {
  number: 17,
  name: "candle-hours",
  sql: `
create table candle_hours (
  pair text collate "C" not null,
  hour_ms bigint not null,
  epoch bigint not null,
  number bigint not null,
  last_ms bigint not null,
  whole bytea not null,
  minutes bytea not null,
  primary key (pair, hour_ms)
);
create index candle_hours_by_hour on candle_hours (hour_ms);
`,
};

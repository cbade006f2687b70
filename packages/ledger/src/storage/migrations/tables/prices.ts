/**
 * Quotes and candles, the choices of operators, corporate actions, and funding rates.
 *
 * `quotes` has the newest quote of each pair with its epoch, number and source. So a process that starts has prices
 * immediately, and knows which quote was the last and which source may continue it. Candles are counted from the tape
 * and outlive it: `whole` is the candle of the hour or day, `minutes` and `hours` are the candles inside it, packed by
 * `prices/candles/packed-candles.ts`. `epoch` and `number` identify the last quote that an hour counts, received at
 * `last_ms`, so that a restarted service counts no quote twice. The row of a day is written in the same transaction as
 * the rows of its hours, so that a chart of a year reads one row for each day.
 *
 * A row of `price_choices` is the newest choice of its pair; earlier choices are in the audit. `version` counts the
 * choices, so that no operator overwrites another's choice unseen. When a check halts a pair, `source` keeps the source
 * in use before the halt, for the time after the halt. `is_far` is true when the operator accepted a price at any
 * distance from the pair's last quote. A pair has at most one corporate action at a moment, apart from cancelled ones.
 */
export const PRICES = `
create table quotes (
  pair text primary key,
  bid double precision not null,
  ask double precision not null,
  at_ms bigint not null,
  epoch bigint not null default 0,
  number bigint not null default 0,
  source text not null
);

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

create table candle_days (
  pair text collate "C" not null,
  day_ms bigint not null,
  whole bytea not null,
  hours bytea not null,
  primary key (pair, day_ms)
);
create index candle_days_by_day on candle_days (day_ms);

create table price_choices (
  pair text collate "C" primary key,
  kind text not null check (kind in ('auto', 'use', 'halt')),
  source text check (case kind when 'use' then source is not null when 'auto' then source is null else true end),
  is_far boolean not null,
  reason text,
  chosen_by text not null,
  chosen_at_ms bigint not null,
  version integer not null
);

create table corporate_actions (
  action_id uuid primary key,
  pair text collate "C" not null,
  kind text not null check (kind in ('split', 'dividend')),
  new_shares integer check ((kind = 'split') = (new_shares is not null)),
  old_shares integer check ((kind = 'split') = (old_shares is not null)),
  amount double precision check ((kind = 'dividend') = (amount is not null)),
  at_ms bigint not null,
  status text not null check (status in ('announced', 'cancelled', 'carriedOut')),
  announced_by text not null,
  announced_at_ms bigint not null,
  ended_at_ms bigint check ((status = 'announced') = (ended_at_ms is null))
);
create unique index corporate_actions_moment on corporate_actions (pair, at_ms)
  where status <> 'cancelled';

create table funding_rates (
  pair text collate "C",
  at_ms bigint,
  rate double precision not null,
  source text not null,
  set_at_ms bigint not null,
  withdrawn_at_ms bigint,
  primary key (pair, at_ms)
);
`;

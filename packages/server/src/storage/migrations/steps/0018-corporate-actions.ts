import type { Migration } from "../migrate.ts";

/**
 * Why: splits and dividends are announced with their moment and carried out once on every account that they affect;
 * funding rates are kept with the hour they are for. Can older code still run: not after an action was carried out,
 * because it does not know the new journal events. Locks: none, the tables are new.
 *
 * A pair has one action at a moment. Rates of funding never change once they are stored.
 */
export const CORPORATE_ACTIONS: Migration = {
  number: 18,
  name: "corporate-actions",
  sql: `
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
  primary key (pair, at_ms)
);
`,
};

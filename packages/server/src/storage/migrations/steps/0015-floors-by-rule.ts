import type { Migration } from "../migrate.ts";

/**
 * Why: a point had one column for each of two loss limits, so a third limit had no floor. Can older
 * code still run: it trades, but it neither records nor shows equity over time, because its two
 * columns are gone; exchange all nodes. Locks: `equity_points`, until every row is written once. A busy
 * machine of two cores took 33 seconds per million rows. Only equity's recorder and chart wait.
 *
 * `floors` is JSON kept as text: micro USD by rule, `{"dailyLoss":95000000000}`; `{}`: no limit binds.
 * `max_floor` belonged to the rule that the criteria chose: end-of-day trailing if they were sold as
 * trailing and from the start of a pro phase, else the static limit. Both are in the journal.
 */
export const FLOORS_BY_RULE: Migration = {
  number: 15,
  name: "floors-by-rule",
  sql: `
alter table equity_points add column floors text not null default '{}';

with sold as materialized (
  select a.account_id, j.event::json -> 'terms' ->> 'criteria' = 'trailing' as is_trailing,
    case when a.state like '%"phase":"pro%' then (
      select min(p.at_ms) from journal p
      where p.account_id = a.account_id and p.event like '{"type":"proStarted"%'
    ) end as pro_from_ms
  from accounts a join journal j on j.account_id = a.account_id and j.seq = 1
)
update equity_points e set floors = json_strip_nulls(json_build_object(
  'dailyLoss', e.daily_floor,
  'staticLoss', case when s.is_trailing or e.at_ms >= s.pro_from_ms then null else e.max_floor end,
  'endOfDayTrailing', case when s.is_trailing or e.at_ms >= s.pro_from_ms then e.max_floor end
))::text
from sold s
where s.account_id = e.account_id and (e.daily_floor is not null or e.max_floor is not null);

alter table equity_points alter column floors drop default,
  drop column daily_floor, drop column max_floor;
`,
};

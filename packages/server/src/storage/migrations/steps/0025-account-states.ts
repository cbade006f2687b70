import type { Migration } from "../migrate.ts";

/**
 * Why: every change of an account wrote its whole state, about 1.4 KB of text, and a new version of a row of
 * which a page holds four. Can older code still run: no, it reads a column that is gone. Locks: `accounts`,
 * while its rows are written again; stop all nodes first.
 *
 * `account_states` has the state of an account at some version. The state at the account's own version is that
 * one with the journal lines after it. Pages keep free space, so an update can stay in its page and
 * touch no index. A linked account has no row here. The last statement only writes the rows of `accounts` again,
 * without the dropped column and with the free space.
 */
export const ACCOUNT_STATES: Migration = {
  number: 25,
  name: "account-states",
  sql: `
create table account_states (
  account_id uuid primary key,
  version bigint not null,
  state text not null
) with (fillfactor = 70);
insert into account_states (account_id, version, state)
select account_id, version, state from accounts where network = 'embedded' order by account_id;

alter table accounts
  set (fillfactor = 80),
  drop constraint accounts_network_check,
  drop column state,
  add constraint accounts_network_check check (case network
    when 'embedded' then head_hash is not null
    when 'vanta' then head_hash is null and not exposed and due_at_ms is null
    else false end) not valid;
alter table accounts alter column version type bigint using version + 0;
`,
};

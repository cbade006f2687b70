import { decodePhrasesSql } from "../../journal/line-text.ts";
import { PROGRAM_ID_SQL, SETS_PROGRAM_SQL } from "../../journal/program-lines.ts";

/**
 * The journal, from which the data of each account can be computed again, and the tables that find an order in it.
 *
 * `journal_text` returns the JSON of the columns `event` and `inputs`, in which frequent phrases are stored as short
 * codes. It is for people and for checks; the service decodes the columns itself. `order_lines` lists the lines that
 * name an order, so that one order, the newest orders and the newest fills, of all pairs or of one, are found by their
 * keys. It is filled up to the line in `order_index` when the orders of an account are read, so that no order waits for
 * it. An order may have any number of edits and holds: `forms` is true for the lines that replace the order's terms,
 * and `once` for all lines of which an order has only one.
 *
 * `transaction_id` is the transaction that wrote the line, in this database. The events of all accounts are read in the
 * order of their transactions, so that a line that commits late is not missed. Later lines of an account have later
 * transactions, because each line is written after the previous line has committed. `journal_programs` finds the
 * program that an account is on, `journal_programs_set` the accounts that were ever on a program.
 *
 * In `rejected_orders`, `placed` is the JSON of the pending order, and `refusal` the JSON of its refusal.
 */
export const JOURNAL = `
create table journal (
  account_id uuid not null,
  seq bigint not null,
  at_ms bigint not null,
  origin text not null,
  key_id text collate "C",
  nonce text collate "C",
  command text not null,
  event text not null,
  hash bytea not null,
  inputs text,
  transaction_id xid8 not null default pg_current_xact_id(),
  primary key (account_id, seq)
);
create index journal_transactions on journal (transaction_id, account_id, seq);
create index journal_programs on journal (account_id, seq) where ${SETS_PROGRAM_SQL};
create index journal_programs_set on journal ((${PROGRAM_ID_SQL}), account_id, seq) where ${SETS_PROGRAM_SQL};
create function journal_text(stored text) returns text
language sql immutable strict parallel safe
return ${decodePhrasesSql("stored")};

create table catalogues (
  hash text collate "C" primary key,
  body text not null
);

create table programs (
  id text collate "C" not null,
  version integer not null,
  document text not null,
  added_at_ms bigint not null,
  primary key (id, version)
);

create table order_index (
  account_id uuid primary key,
  seq bigint not null
);
create table order_lines (
  account_id uuid not null,
  order_uuid text not null,
  seq bigint not null,
  at_ms bigint not null,
  pair text not null,
  opens boolean not null,
  fills boolean not null,
  once boolean not null,
  forms boolean not null,
  primary key (account_id, order_uuid, seq)
);
create index order_lines_opening on order_lines (account_id, seq) where opens;
create index order_lines_opening_pair on order_lines (account_id, pair, seq) where opens;
create index order_lines_filling on order_lines (account_id, seq) where fills;
create index order_lines_filling_pair on order_lines (account_id, pair, seq) where fills;
create index order_lines_once on order_lines (account_id, order_uuid, seq) where once;

create table rejected_orders (
  account_id uuid not null,
  seq bigint not null,
  order_uuid text collate "C" not null,
  rejected_at_ms bigint not null,
  code text not null,
  refusal text not null,
  placed text not null,
  primary key (account_id, seq)
);
create unique index rejected_orders_by_id on rejected_orders (account_id, order_uuid);
`;

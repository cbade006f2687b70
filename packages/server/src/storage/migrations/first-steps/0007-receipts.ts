import type { Migration } from "../migrate.ts";

/**
 * Why: a client that got no answer to an order can look up its fate and the answer. Can older code still
 * run: yes, but it does not mark its orders as writes, so their receipts read `unseen`; upgrade all nodes
 * before clients use receipts. Locks: `nonces`, for a moment: the column has a constant default, so no
 * row is rewritten.
 *
 * `result` is the JSON of `data` in the answer to an accepted order, with an empty `order_json`, because
 * that repeats `order`. `error` is the text of a rejection. A row never changes: the first row of a nonce
 * is the order's fate.
 */
export const RECEIPTS: Migration = {
  number: 7,
  name: "receipts",
  sql: `
alter table nonces add column is_write boolean not null default false;

create table receipts (
  key_id text collate "C" not null,
  nonce text collate "C" not null,
  decided_at_ms bigint not null,
  status smallint not null,
  result text,
  error text,
  primary key (key_id, nonce),
  check ((status = 200) = (result is not null) and (result is null) = (error is not null))
);
`,
};

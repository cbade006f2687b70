import type { Migration } from "./migrate.ts";

/**
 * Why: whoever got no answer to an order asks what became of it, and gets the answer that the order
 * had. Can older code still run: yes, but it says of none of its orders that they were writes, so
 * their receipts read `unseen`; exchange all nodes before clients ask. Locks: `nonces`, for a moment:
 * the column has a constant default, so no row is written.
 *
 * `result` is JSON of `data` of an accepted order as it was answered, `order_json` left empty, for it
 * repeats `order`; `error` is that of a rejected one. A row never
 * changes: the first one that is written of a nonce is what became of it.
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

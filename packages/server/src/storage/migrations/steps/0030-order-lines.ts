import type { Migration } from "../migrate.ts";

/**
 * Why: the life of an order is spread over the lines of its account's journal. `order_lines` says which lines name an
 * order, so that one order, the newest orders and the newest fills are found by their keys. It is filled when an
 * account's orders are read, up to the line in `order_index`, so that no order waits for it and journals of earlier
 * releases need no work now. Can older code still run: yes, it does not read the tables. Locks: none.
 */
export const ORDER_LINES: Migration = {
  number: 30,
  name: "order lines",
  sql: `
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
  primary key (account_id, order_uuid, seq)
);
create index order_lines_opening on order_lines (account_id, seq) where opens;
create index order_lines_filling on order_lines (account_id, seq) where fills;
`,
};

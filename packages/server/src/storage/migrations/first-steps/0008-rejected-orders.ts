import type { Migration } from "../migrate.ts";

/**
 * Why: a pending order that cannot fill when its price is reached becomes rejected, and its owner must be
 * able to read the reason. Can older code still run: no, it does not know the event; stop every node
 * first. Locks: none, the table is new.
 *
 * `placed` is the JSON of the pending order, `refusal` the JSON of its refusal; null for rows of an earlier
 * release, which recorded only the code.
 */
export const REJECTED_ORDERS: Migration = {
  number: 8,
  name: "rejected-orders",
  sql: `
create table rejected_orders (
  account_id uuid not null,
  seq bigint not null,
  order_uuid text collate "C" not null,
  rejected_at_ms bigint not null,
  code text not null,
  refusal text,
  placed text not null,
  primary key (account_id, seq)
);
create unique index rejected_orders_by_id on rejected_orders (account_id, order_uuid);
`,
};

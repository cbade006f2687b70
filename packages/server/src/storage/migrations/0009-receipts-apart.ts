import type { Migration } from "./migrate.ts";

/**
 * Why: a client asks for receipts exactly when it has used up its reads, so receipts have a budget of
 * their own; and a receipt says by which code an order was refused. Can older code still run: yes, it
 * counts receipts among the reads and leaves the code out. Locks: `key_usage` and `receipts`, for a
 * moment: no row is written.
 */
export const RECEIPTS_APART: Migration = {
  number: 9,
  name: "receipts-apart",
  sql: `
alter table key_usage add column receipts integer not null default 0;

alter table receipts add column refusal_code text;
`,
};

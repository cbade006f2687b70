import type { Migration } from "../migrate.ts";

/**
 * Why: due accounts are read oldest first, page by page, once a second. With this index the cost of a
 * page does not depend on the number of accounts. Can older code still run: yes. Locks: blocks writes
 * to accounts while the index is built, about one second per million accounts.
 */
export const DUE_IN_ORDER: Migration = {
  number: 4,
  name: "due-in-order",
  sql: `
drop index accounts_due;
create index accounts_due on accounts (due_at_ms, account_id) where due_at_ms is not null;
`,
};

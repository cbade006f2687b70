import type { Migration } from "./migrate.ts";

/**
 * Why: what is due is read oldest first, page by page, once a second; by this index a page costs
 * what it holds, however many accounts there are. Can older code still run: yes. Locks: writing
 * accounts while the index is made, about a second a million.
 */
export const DUE_IN_ORDER: Migration = {
  number: 4,
  name: "due-in-order",
  sql: `
drop index accounts_due;
create index accounts_due on accounts (due_at_ms, account_id) where due_at_ms is not null;
`,
};

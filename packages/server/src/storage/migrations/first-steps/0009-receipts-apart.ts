import type { Migration } from "../migrate.ts";

/**
 * Why: a client often needs a receipt when its read budget is used up, so receipts have a separate
 * budget; and a receipt has the refusal's code. Can older code still run: yes, it counts receipts as
 * reads and stores no code. Locks: `key_usage` and `receipts`, for a moment: no row is rewritten.
 */
export const RECEIPTS_APART: Migration = {
  number: 9,
  name: "receipts-apart",
  sql: `
alter table key_usage add column receipts integer not null default 0;

alter table receipts add column refusal_code text;
`,
};

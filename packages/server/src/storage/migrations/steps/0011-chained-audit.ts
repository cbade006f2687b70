import type { Migration } from "../migrate.ts";

/**
 * Why: each line of the audit gets a hash over the previous line, so that altered and removed lines are
 * found. Older lines have no hash; the first hash covers all of them. Can older code still run: yes, its
 * lines have no hash, which the proof reports. Locks: `audit`, for a moment: no row is rewritten.
 */
export const CHAINED_AUDIT: Migration = {
  number: 11,
  name: "chained-audit",
  sql: `
alter table audit add column hash bytea;
`,
};

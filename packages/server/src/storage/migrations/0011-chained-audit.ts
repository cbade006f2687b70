import type { Migration } from "./migrate.ts";

/**
 * Why: each line of the audit has a hash over the line before, so that a line that is altered or
 * removed shows. Lines of before have none; the first hash covers them all. Can older code still run:
 * yes, its lines have no hash, which the proof then reports. Locks: `audit`, for a moment: no row is
 * written.
 */
export const CHAINED_AUDIT: Migration = {
  number: 11,
  name: "chained-audit",
  sql: `
alter table audit add column hash bytea;
`,
};

import type { ListSource } from "./list-query.ts";

/** The lines of the audit. */
export const AUDIT_ROWS: ListSource = {
  rows: `select audit_id as "auditId", at_ms as "atMs", by_name as "by", role, address, deed, subject,
    account_id as "accountId", detail, succeeded from audit`,
  databases: "first",
};

import type { ListSource } from "./list-query.ts";

/** The named tokens of the operator's interface, also expired and revoked ones. */
export const TOKEN_ROWS: ListSource = {
  rows: `select name, created_by as "createdBy", created_at_ms as "createdAtMs", expires_at_ms as "expiresAtMs",
    revoked_at_ms as "revokedAtMs", last_used_at_ms as "lastUsedAtMs", last_used_from as "lastUsedFrom"
  from operator_tokens`,
  databases: "first",
};

/** The splits and dividends of every status. */
export const ACTION_ROWS: ListSource = {
  rows: `select action_id as id, pair, kind, new_shares as "newShares", old_shares as "oldShares", amount,
    at_ms as "atMs", status, announced_by as "announcedBy", announced_at_ms as "announcedAtMs",
    ended_at_ms as "endedAtMs" from corporate_actions`,
  uuids: ["id"],
  databases: "first",
};

/** The funding rates of all hours, without withdrawn ones. */
export const FUNDING_ROWS: ListSource = {
  rows: `select pair, at_ms as "atMs", rate, source from funding_rates
    where withdrawn_at_ms is null`,
  databases: "first",
};

import type { ListSource } from "./list-query.ts";

/** The orders of linked accounts whose outcome is not known. */
export const UNANSWERED_ORDER_ROWS: ListSource = {
  rows: `select o.order_uuid as "orderUuid", o.account_id as "accountId", x.external_id as "externalId",
    a.owner_id as "ownerId", o.key_id as "keyId", o.nonce, o.execution_type as "executionType",
    o.trade_pair as "tradePair", o.created_at_ms as "sentAtMs", o.attempts, o.lease_until_ms as "nextAttemptMs"
  from upstream_orders o join accounts a using (account_id) left join external_ids x using (account_id)
  where o.state = 'sending'`,
  uuids: ["accountId"],
  databases: "all",
};

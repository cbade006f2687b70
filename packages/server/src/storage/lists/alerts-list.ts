import type { ListSource } from "./list-query.ts";

/** The alerts of all owners, and the operator's. */
export const ALERT_ROWS: ListSource = {
  rows: `select a.alert_id as id, a.number, a.type, a.at_ms as "atMs", a.owner_id as "ownerId",
    a.account_id as "accountId", d.body ->> 'keyId' as "keyId", d.body ->> 'label' as label, d.body ->> 'by' as "by",
    (d.body ->> 'untilMs')::bigint as "untilMs", d.body ->> 'address' as address, d.body ->> 'browser' as browser,
    d.body ->> 'webhookId' as "webhookId", d.body ->> 'reason' as reason
  from alerts a, lateral (select a.data::json as body) d`,
  uuids: ["accountId"],
  databases: "all",
};

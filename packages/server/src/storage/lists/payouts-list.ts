import { IS_RESTORED_SQL, programAfterLineSql } from "@propgate/ledger";
import type { ListSource } from "./list-query.ts";

/** SQL of the program that the account had at the line that closed the cycle. */
const PROGRAM = programAfterLineSql("p.account_id", "p.seq");

/** The payouts of all accounts. @rule D13.restoredPayouts */
export const PAYOUT_ROWS: ListSource = {
  rows: `select p.payout_id as id, p.period_start_ms as "periodStartMs", p.period_end_ms as "periodEndMs",
    (paid.body ->> 'amount')::double precision / 1000000 as amount, 'USD'::text as currency,
    concat(share.percent, '%') as "profitSplit", share.percent as "profitSplitPercent", p.status,
    paid.body -> 'payment' ->> 'rail' as rail, paid.body -> 'payment' ->> 'provider' as provider,
    paid.body -> 'payment' ->> 'reference' as reference,
    null::double precision as "alphaAmount", null::text as "alphaDestination",
    (paid.body -> 'payment' ->> 'requestedAtMs')::bigint as "requestedAtMs",
    (paid.body -> 'payment' ->> 'paidAtMs')::bigint as "paidAtMs",
    (paid.body -> 'payment' ->> 'paidAmount')::double precision / 1000000 as "paidAmount",
    (paid.body ->> 'createdAtMs')::bigint as "createdAtMs", ${IS_RESTORED_SQL} as restored,
    p.account_id as "accountId", x.external_id as "externalId", a.owner_id as "ownerId", ${PROGRAM} as "programId"
  from payouts p join accounts a using (account_id) left join external_ids x using (account_id),
    lateral (select p.payout::json as body) as paid,
    lateral (select (round((paid.body ->> 'split')::numeric * 1000000000) / 10000000)::double precision as percent)
      as share`,
  uuids: ["accountId"],
  sums: { by: "status", amounts: ["amount", "paidAmount"] },
  databases: "all",
};

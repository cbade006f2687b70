import type { AlertType } from "@propgate/contract";
import type { AccountId, OwnerId, UnixMs } from "@propgate/core";
import type { Queryable } from "../databases/database.ts";

/** An alert that is added by a statement of its own, in the transaction of the change that it reports. */
export interface NewAlert {
  readonly type: AlertType;
  /** Differs between the alerts of a type. The id of the alert is computed from its type and its cause. */
  readonly cause: string;
  /** Null for an alert of the operator. */
  readonly ownerId: OwnerId | null;
  readonly accountId: AccountId | null;
  readonly atMs: UnixMs;
  readonly data: Readonly<Record<string, string | number | null>>;
}

/**
 * The part of a statement that adds alerts, so that an alert is written in the transaction of the change that it
 * reports, or not at all. `source` is SQL that selects `cause`, `owner_id`, `account_id`, `at_ms` and `data`, which is
 * JSON.
 * @rule D9.alerts decides
 */
export function alertsFrom(type: AlertType, source: string): string {
  return `
  insert into alerts (alert_id, owner_id, account_id, type, at_ms, data)
  select 'alt_' || left(encode(sha256(convert_to('${type} ' || n.cause, 'UTF8')), 'hex'), 32), n.owner_id, n.account_id,
    '${type}', n.at_ms, n.data::text
  from (${source}) n on conflict do nothing`;
}

/** Adds the alert in the transaction, unless an alert with this type and cause exists. */
export async function addAlert(transaction: Queryable, alert: NewAlert): Promise<void> {
  const source = `
    select $1::text as cause, $2::text as owner_id, $3::uuid as account_id, $4::bigint as at_ms, $5::text as data`;
  const { cause, ownerId, accountId, atMs, data } = alert;
  const parameters = [cause, ownerId, accountId, atMs, JSON.stringify(data)];
  await transaction.query(alertsFrom(alert.type, source), parameters);
}

import { type OwnerId, ownerId } from "@propgate/core";
import type { Database } from "@propgate/ledger";

/** An alert without a number, in the form in which it is moved to the database of its owner. */
export interface UnnumberedAlert {
  readonly alertId: string;
  /** The owner who gets the alert; null for an alert of the operator. */
  readonly ownerId: OwnerId | null;
  /** The values of the alert's columns after the id. */
  readonly row: readonly unknown[];
}

/** The alerts of one database. */
export interface AlertStore {
  /** The alerts without a number, oldest first. */
  listUnnumbered(limit: number): Promise<readonly UnnumberedAlert[]>;
  /**
   * Adds alerts of another database, from which the caller then removes them. An alert that already exists here stays
   * as it is.
   */
  add(alerts: readonly UnnumberedAlert[]): Promise<void>;
  remove(alerts: readonly UnnumberedAlert[]): Promise<void>;
  /**
   * Numbers these alerts, or all with null. The numbers of each owner continue from the owner's last one, in the order
   * in which the alerts were written. Returns the owners whose alerts were numbered, null for the operator.
   */
  number(alerts: readonly UnnumberedAlert[] | null): Promise<readonly (OwnerId | null)[]>;
}

interface UnnumberedRow {
  readonly alert_id: string;
  readonly owner_id: string | null;
  readonly account_id: string | null;
  readonly type: string;
  readonly at_ms: string;
  readonly data: string;
}

const COLUMNS = "alert_id, owner_id, account_id, type, at_ms, data";

/**
 * The key of the advisory lock of numbering: an arbitrary number, the same on every node and different from every other
 * key.
 */
const ALERTS_LOCK = 7_720_023;

const NUMBER = `
with fresh as materialized (
  select alert_id, coalesce(owner_id, '') as owner,
    row_number() over (partition by owner_id order by recorded) as place,
    count(*) over (partition by owner_id) as added
  from alerts where number is null and ($1::text[] is null or alert_id = any ($1))
), heads as (
  insert into alert_heads (owner, number) select distinct owner, added from fresh
  on conflict (owner) do update set number = alert_heads.number + excluded.number,
    transaction_id = excluded.transaction_id
  returning owner, number
)
update alerts a set number = h.number - f.added + f.place
from fresh f join heads h using (owner) where a.alert_id = f.alert_id returning a.owner_id`;

export function createAlertStore(database: Database): AlertStore {
  return {
    async listUnnumbered(limit) {
      const rows = await database.query<UnnumberedRow>(
        `select ${COLUMNS} from alerts where number is null order by recorded limit $1`,
        [limit],
      );
      return rows.map((row) => ({
        alertId: row.alert_id,
        ownerId: row.owner_id === null ? null : ownerId(row.owner_id),
        row: [row.owner_id, row.account_id, row.type, row.at_ms, row.data],
      }));
    },
    add: (alerts) =>
      database.transaction(async (transaction) => {
        for (const { alertId, row } of alerts) {
          await transaction.query(
            `insert into alerts (${COLUMNS}) values ($1, $2, $3, $4, $5, $6) on conflict do nothing`,
            [alertId, ...row],
          );
        }
      }),
    async remove(alerts) {
      const ids = alerts.map(({ alertId }) => alertId);
      await database.query("delete from alerts where alert_id = any ($1) and number is null", [
        ids,
      ]);
    },
    // One transaction at a time numbers alerts and advances the owner's last number in `alert_heads`, so no number is
    // missing or given twice. @rule D9.alertNumbers decides
    async number(alerts) {
      const [waiting] = await database.query(
        "select 1 from alerts where number is null limit 1",
        [],
      );
      if (waiting === undefined) return [];
      const ids = alerts?.map(({ alertId }) => alertId) ?? null;
      const numbered = await database.transaction(async (transaction) => {
        await transaction.query(`select pg_advisory_xact_lock(${ALERTS_LOCK})`, []);
        return transaction.query<{ readonly owner_id: string | null }>(NUMBER, [ids]);
      });
      const owners = new Set(numbered.map(({ owner_id }) => owner_id));
      return [...owners].map((owner) => (owner === null ? null : ownerId(owner)));
    },
  };
}

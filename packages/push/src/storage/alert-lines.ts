import { type AlertType, isRecord } from "@propgate/contract";
import {
  type AccountId,
  accountId,
  type OwnerId,
  ownerId,
  type UnixMs,
  unixMs,
} from "@propgate/core";
import { externalIdSql, PROGRAM_ID_SQL, type Queryable, SETS_PROGRAM_SQL } from "@propgate/ledger";

/** An alert that has its number in the queue of its owner. */
export interface NumberedAlert {
  readonly id: string;
  readonly number: number;
  readonly type: AlertType;
  readonly atMs: UnixMs;
  /** The owner who gets the alert; null for an alert of the operator. */
  readonly ownerId: OwnerId | null;
  readonly accountId: AccountId | null;
  readonly externalId: string | null;
  readonly data: Readonly<Record<string, unknown>>;
}

/** Selects the alerts that an endpoint gets. */
export interface AlertFilter {
  /** The endpoint that gets the alerts. The filter removes alerts about this endpoint itself. */
  readonly endpointId: string;
  readonly types: readonly AlertType[];
  /** The account whose alerts pass; null lets all alerts pass, also those without an account. */
  readonly accountId: AccountId | null;
  /** True when alerts without an account pass too, besides the alerts of `accountId`. */
  readonly includesAccountless: boolean;
  /**
   * The program that the account of an alert must have been on at the time of the alert; null for every program. Alerts
   * without an account pass only with null.
   */
  readonly programId: string | null;
}

/** Reads the numbered alerts of one database. */
export interface AlertLines {
  /** The owner's first alert with a number above `after` that the filter lets through; null when there is none. */
  next(owner: OwnerId | null, after: number, filter: AlertFilter): Promise<NumberedAlert | null>;
  /**
   * The number of the owner's last alert that the filter lets through, from `from` to `to`, both included; null when
   * there is none.
   */
  lastNumber(
    owner: OwnerId | null,
    range: { readonly from: number; readonly to: number },
    filter: AlertFilter,
  ): Promise<number | null>;
  /** The alert with this id; null when there is none or the filter does not let it through. */
  find(alertId: string, filter: AlertFilter): Promise<NumberedAlert | null>;
}

interface AlertRow {
  readonly alert_id: string;
  readonly number: string;
  readonly type: AlertType;
  readonly at_ms: string;
  readonly owner_id: string | null;
  readonly account_id: string | null;
  readonly external_id: string | null;
  readonly data: string;
}

const COLUMNS = `n.alert_id, n.number, n.type, n.at_ms, n.owner_id, n.account_id,
  ${externalIdSql("n.account_id")} as external_id, n.data`;

/** True for a row that the filter in the first five parameters lets through. */
const PASSES = `n.number is not null and n.type = any ($1::text[])
  and n.data::json ->> 'webhookId' is distinct from $2
  and ($3::uuid is null or n.account_id = $3 or ($4 and n.account_id is null))
  and ($5::text is null or $5 = (
    select ${PROGRAM_ID_SQL} from journal
    where account_id = n.account_id and at_ms <= n.at_ms and ${SETS_PROGRAM_SQL} order by seq desc limit 1))`;
const OF_OWNER = "coalesce(n.owner_id, '') = $6";

const NEXT = `
select ${COLUMNS} from alerts n where ${OF_OWNER} and n.number > $7 and ${PASSES} order by n.number limit 1`;

const LAST = `
select n.number from alerts n where ${OF_OWNER} and n.number between $7 and $8 and ${PASSES}
order by n.number desc limit 1`;

const FIND = `select ${COLUMNS} from alerts n where n.alert_id = $6 and ${PASSES}`;

export function createAlertLines(database: Queryable): AlertLines {
  return {
    async next(owner, after, filter) {
      const parameters = [...valuesOf(filter), owner ?? "", after];
      return alertOf(await database.query<AlertRow>(NEXT, parameters));
    },
    async lastNumber(owner, { from, to }, filter) {
      const parameters = [...valuesOf(filter), owner ?? "", from, to];
      const [row] = await database.query<Pick<AlertRow, "number">>(LAST, parameters);
      return row === undefined ? null : Number(row.number);
    },
    find: async (alertId, filter) =>
      alertOf(await database.query<AlertRow>(FIND, [...valuesOf(filter), alertId])),
  };
}

function valuesOf(filter: AlertFilter): readonly unknown[] {
  const { types, endpointId, accountId: account, includesAccountless, programId } = filter;
  return [types, endpointId, account, includesAccountless, programId];
}

function alertOf([row]: readonly AlertRow[]): NumberedAlert | null {
  if (row === undefined) return null;
  const data: unknown = JSON.parse(row.data);
  if (!isRecord(data)) throw new Error("broken invariant: an alert's data is no object");
  return {
    id: row.alert_id,
    number: Number(row.number),
    type: row.type,
    atMs: unixMs(Number(row.at_ms)),
    ownerId: row.owner_id === null ? null : ownerId(row.owner_id),
    accountId: row.account_id === null ? null : accountId(row.account_id),
    externalId: row.external_id,
    data,
  };
}

import { type AccountId, accountId } from "@propgate/core";
import type { Queryable } from "../databases/database.ts";
import { timeOrNull } from "../journal/journal-store.ts";
import type { AccountActivity } from "../rows/account-activity.ts";

/** A version of an embedded account, and the times of its use, which its state does not have. */
export interface IndexRow {
  readonly accountId: AccountId;
  readonly version: number;
  /** The first half of the hash of the line with that version, in hexadecimal. */
  readonly headHash: string;
  readonly activity: AccountActivity;
}

/**
 * Reads the changes that an index of all accounts follows. A place is a transaction id: every line of a transaction
 * with a smaller id is either committed or will never be.
 */
export interface AccountIndexStore {
  /** The present place: the id of the oldest transaction that may still be open. */
  oldestOpenTransaction(): Promise<bigint>;
  /** The first `limit` embedded accounts after the account `after`, sorted by id. */
  page(after: AccountId | null, limit: number): Promise<readonly IndexRow[]>;
  /** The accounts with lines of transactions from that place on, and the present place. */
  changedSince(
    place: bigint,
  ): Promise<{ readonly place: bigint; readonly rows: readonly IndexRow[] }>;
  /** The rows of these accounts, without those that do not exist. */
  rowsOfAccounts(accounts: readonly AccountId[]): Promise<readonly IndexRow[]>;
}

interface Row {
  readonly account_id: string;
  readonly version: string;
  readonly head_hash: string;
  readonly last_order_at_ms: string | null;
  readonly last_activity_at_ms: string | null;
  readonly ended_at_ms: string | null;
}

/** The SQL of a column `place`: the id of the oldest transaction that may still be open, as text. */
export const OLDEST_OPEN_TRANSACTION_SQL = "pg_snapshot_xmin(pg_current_snapshot())::text as place";
const COLUMNS = `a.account_id, a.version, encode(substring(a.head_hash for 16), 'hex') as head_hash,
  a.last_order_at_ms, a.last_activity_at_ms, a.ended_at_ms`;

const PAGE = `
select ${COLUMNS} from accounts a
where a.network = 'embedded' and ($1::uuid is null or a.account_id > $1) order by a.account_id limit $2`;

/** The result has a row of nulls when no account has changed, so that it always has the place. */
const CHANGED = `
select now.place, ${COLUMNS} from (select ${OLDEST_OPEN_TRANSACTION_SQL}) now left join (
  select distinct account_id from journal where transaction_id >= $1::xid8
) changed on true left join accounts a on a.account_id = changed.account_id and a.network = 'embedded'`;

const THESE = `select ${COLUMNS} from accounts a where a.network = 'embedded' and a.account_id = any ($1::uuid[])`;

export function createAccountIndexStore(database: Queryable): AccountIndexStore {
  return {
    async oldestOpenTransaction() {
      const [row] = await database.query<{ readonly place: string }>(
        `select ${OLDEST_OPEN_TRANSACTION_SQL}`,
        [],
      );
      return BigInt(row?.place ?? 0);
    },
    async page(after, limit) {
      return (await database.query<Row>(PAGE, [after, limit])).map(indexRow);
    },
    async changedSince(place) {
      const rows = await database.query<
        { readonly place: string } & (Row | { readonly account_id: null })
      >(CHANGED, [String(place)]);
      return {
        place: BigInt(rows[0]?.place ?? place),
        rows: rows.flatMap((row) => (row.account_id === null ? [] : [indexRow(row)])),
      };
    },
    async rowsOfAccounts(accounts) {
      return (await database.query<Row>(THESE, [accounts])).map(indexRow);
    },
  };
}

function indexRow(row: Row): IndexRow {
  return {
    accountId: accountId(row.account_id),
    version: Number(row.version),
    headHash: row.head_hash,
    activity: {
      lastOrderAtMs: timeOrNull(row.last_order_at_ms),
      lastActivityAtMs: timeOrNull(row.last_activity_at_ms),
      endedAtMs: timeOrNull(row.ended_at_ms),
    },
  };
}

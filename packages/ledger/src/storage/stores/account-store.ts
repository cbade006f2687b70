import {
  type AccountId,
  type AccountStatus,
  accountId,
  type OwnerId,
  ownerId,
  type UnixMs,
  unixMs,
} from "@propgate/core";
import type { Queryable } from "../databases/database.ts";
import type { AccountUse } from "../rows/account-activity.ts";
import type { NetworkName } from "../rows/network-name.ts";

/** An account's row without its state, for lists. */
export interface AccountSummary {
  readonly network: NetworkName;
  readonly accountId: AccountId;
  readonly ownerId: OwnerId;
  readonly status: AccountStatus;
  /** The number of the newest journal line. Changes of a linked account get their lines when a reading finds them. */
  readonly version: number;
  readonly createdAtMs: UnixMs;
}

/** A linked account's row, with the times of its readings. */
export interface LinkedSummary extends AccountSummary, AccountUse {
  /** When it was closed in this service; null when it was not closed, even if the validator has ended it. */
  readonly endedAtMs: UnixMs | null;
  /** Time of the newest reading; null before the first. */
  readonly readAtMs: UnixMs | null;
  /** True when a reading after `readAtMs` has failed. */
  readonly isFailing: boolean;
}

/** An account, and the time since which it has had due work. */
export interface DueAccount {
  readonly accountId: AccountId;
  readonly dueAtMs: UnixMs;
}

/** Limits a read to the accounts of some partitions. */
export interface PartitionFilter {
  /** Null for all partitions. */
  readonly partitions: readonly number[] | null;
}

/** The rows of all accounts, embedded and linked, without their states. */
export interface AccountStore {
  find(account: AccountId): Promise<AccountSummary | null>;
  /** The first `limit` accounts after the id `after`, sorted by id, of one owner or of all. */
  list(page: {
    readonly ownerId?: OwnerId | null;
    readonly after: AccountId | null;
    readonly limit: number;
  }): Promise<readonly AccountSummary[]>;
  /** All linked accounts, with the times of their readings. */
  linked(): Promise<readonly LinkedSummary[]>;
  /** The newest `limit` accounts, newest first, of one owner, or of all owners when `owner` is null. */
  newest(owner: OwnerId | null, limit: number): Promise<readonly AccountSummary[]>;
  /** The versions of these accounts. Unknown accounts are missing. */
  versions(
    accounts: readonly AccountId[],
  ): Promise<readonly Pick<AccountSummary, "accountId" | "network" | "version">[]>;
  /** The number of the owner's accounts that are neither eliminated nor closed. */
  countActive(owner: OwnerId): Promise<number>;
  /** The same number for each of several owners. Owners without such an account are missing. */
  countActiveOf(owners: readonly OwnerId[]): Promise<ReadonlyMap<OwnerId, number>>;
  /** The first `limit` accounts of these partitions after `after` that are due at `now`, sorted by due time and id. */
  due(
    now: UnixMs,
    page: { readonly after: DueAccount; readonly limit: number } & PartitionFilter,
  ): Promise<readonly DueAccount[]>;
  /** The first due time after the given moment; null when no account is due after it. */
  firstDueAfter(after: UnixMs): Promise<UnixMs | null>;
  /** The number of accounts of these partitions that are due, and the oldest due time; null when none is due. */
  dueLag(
    now: UnixMs,
    of: PartitionFilter,
  ): Promise<{ readonly waiting: number; readonly oldestDueAtMs: UnixMs | null }>;
  /** True when there is any account, embedded or linked. */
  hasAny(): Promise<boolean>;
}

interface SummaryRow {
  readonly account_id: string;
  readonly owner_id: string;
  /** The database allows no other values of status and network, so these are not checked after a read. */
  readonly status: AccountStatus;
  readonly version: string;
  readonly network: NetworkName;
  readonly created_at_ms: string;
}

interface LinkedRow extends SummaryRow {
  readonly ended_at_ms: string | null;
  readonly last_order_at_ms: string | null;
  readonly last_activity_at_ms: string | null;
  readonly read_at_ms: string | null;
  readonly is_failing: boolean;
}

/** Strings that are not uuids match no account; PostgreSQL would throw an error for them. */
const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;
const COLUMNS = "account_id, owner_id, status, version, network, created_at_ms";

export function createAccountStore(database: Queryable): AccountStore {
  const countActiveOf: AccountStore["countActiveOf"] = async (owners) => {
    const rows = await database.query<{ owner_id: string; count: number }>(
      `select owner_id, count(*)::int as count from accounts
       where owner_id = any ($1) and status in ('provisioning', 'active') group by owner_id`,
      [owners],
    );
    return new Map(rows.map((row) => [ownerId(row.owner_id), row.count]));
  };
  return {
    async find(account) {
      if (!UUID.test(account)) return null;
      const text = `select ${COLUMNS} from accounts where account_id = $1`;
      const rows = await database.query<SummaryRow>(text, [account]);
      return rows.map(accountSummary)[0] ?? null;
    },
    async list({ ownerId: owner = null, after, limit }) {
      const text = `select ${COLUMNS} from accounts
        where ($1::uuid is null or account_id > $1) and ($3::text is null or owner_id = $3)
        order by account_id limit $2`;
      return (await database.query<SummaryRow>(text, [after, limit, owner])).map(accountSummary);
    },
    async linked() {
      const rows = await database.query<LinkedRow>(
        `select ${COLUMNS}, ended_at_ms, last_order_at_ms, last_activity_at_ms, l.read_at_ms, l.failing_since_ms is not null as is_failing
         from accounts join linked_accounts l using (account_id)`,
        [],
      );
      return rows.map((row) => ({
        ...accountSummary(row),
        endedAtMs: timeOf(row.ended_at_ms),
        lastOrderAtMs: timeOf(row.last_order_at_ms),
        lastActivityAtMs: timeOf(row.last_activity_at_ms),
        readAtMs: timeOf(row.read_at_ms),
        isFailing: row.is_failing,
      }));
    },
    async newest(owner, limit) {
      const text = `select ${COLUMNS} from accounts where $1::text is null or owner_id = $1
        order by created_at_ms desc, account_id limit $2`;
      return (await database.query<SummaryRow>(text, [owner, limit])).map(accountSummary);
    },
    async versions(accounts) {
      const rows = await database.query<Pick<SummaryRow, "account_id" | "network" | "version">>(
        "select account_id, version, network from accounts where account_id = any ($1::uuid[])",
        [accounts],
      );
      return rows.map((row) => ({
        accountId: accountId(row.account_id),
        network: row.network,
        version: Number(row.version),
      }));
    },
    countActive: async (owner) => (await countActiveOf([owner])).get(owner) ?? 0,
    countActiveOf,
    async due(now, { after, limit, partitions }) {
      const rows = await database.query<{ account_id: string; due_at_ms: string }>(
        `select account_id, due_at_ms from accounts
         where due_at_ms <= $1 and (due_at_ms, account_id) > ($2::bigint, $3::uuid)
           and ($5::integer[] is null or partition_of(account_id) = any ($5))
         order by due_at_ms, account_id limit $4`,
        [now, after.dueAtMs, after.accountId, limit, partitions],
      );
      return rows.map((row) => ({
        accountId: accountId(row.account_id),
        dueAtMs: unixMs(Number(row.due_at_ms)),
      }));
    },
    async firstDueAfter(after) {
      const rows = await database.query<{ first: string | null }>(
        "select min(due_at_ms) as first from accounts where due_at_ms > $1",
        [after],
      );
      return timeOf(rows[0]?.first);
    },
    async dueLag(now, { partitions }) {
      const rows = await database.query<{ waiting: number; oldest: string | null }>(
        `select count(*)::int as waiting, min(due_at_ms) as oldest from accounts
         where due_at_ms <= $1
           and ($2::integer[] is null or partition_of(account_id) = any ($2))`,
        [now, partitions],
      );
      return { waiting: rows[0]?.waiting ?? 0, oldestDueAtMs: timeOf(rows[0]?.oldest) };
    },
    hasAny: async () => (await database.query("select 1 from accounts limit 1", [])).length > 0,
  };
}

function timeOf(column: string | null | undefined): UnixMs | null {
  return column === null || column === undefined ? null : unixMs(Number(column));
}

function accountSummary(row: SummaryRow): AccountSummary {
  return {
    accountId: accountId(row.account_id),
    ownerId: ownerId(row.owner_id),
    status: row.status,
    version: Number(row.version),
    network: row.network,
    createdAtMs: unixMs(Number(row.created_at_ms)),
  };
}

import {
  type AccountId,
  type AccountStatus,
  accountId,
  CHAIN_START,
  type ChainedLine,
  ownerId,
  type UnixMs,
  unixMs,
} from "@propgate/core";
import type { Database, Queryable } from "../../databases/database.ts";
import { appendLines, chainNewLines } from "../../journal/append-lines.ts";
import type {
  LinkedAccount,
  LinkedAccountStore,
  LinkedRecord,
  LinkedRecordKind,
  OpenPair,
  ReadingWrite,
} from "../../rows/linked-account.ts";
import { JOURNAL_COLUMNS } from "../account-rows.ts";
import { columnNames, type ListColumns, listStatement } from "../row-lists.ts";
import { nextBehindSinceSql } from "./behind-since.ts";
import { readKnownHistory } from "./known-history.ts";
import { FROM_LINKED_ACCOUNT_SQL, lockJournal } from "./lock-journal.ts";
import { DATABASE_NOW_MS, toStorableText } from "./storable-text.ts";

const LINK = listStatement<{ readonly lines: ChainedLine }>(
  { lines: JOURNAL_COLUMNS },
  ({ lines }) => `
with linked as (
  insert into linked_accounts (account_id, hotkey, subaccount_id, subaccount_uuid, profit_split,
    linked_at_ms)
  values ($1, $2, $3, $4, $5, $6)
  on conflict (hotkey) do nothing
  returning account_id
), written as (
  insert into journal (${columnNames(JOURNAL_COLUMNS)})
  select * from ${lines} as j (${columnNames(JOURNAL_COLUMNS)}) where exists (select from linked)
)
insert into accounts (account_id, owner_id, status, version, head_hash, last_at_ms, last_activity_at_ms, network,
  exposed, created_at_ms)
select account_id, $7, $8, 1, $9, $6, $6, 'vanta', false, $6 from linked
returning account_id`,
  10,
);

const CLOSE = `
update accounts set status = 'closed', ended_at_ms = coalesce(ended_at_ms, $2) where account_id = $1`;

const FIND = `
select account_id, a.owner_id, a.status, a.version, a.head_hash, l.revision, l.hotkey, l.subaccount_id, l.subaccount_uuid,
  l.profit_split, l.linked_at_ms, l.readings, l.pairs, l.read_at_ms, l.behind_since_ms, l.failing_since_ms
${FROM_LINKED_ACCOUNT_SQL}`;

/** The condition of accounts that are still read. */
const READ = "a.status in ('provisioning', 'active')";

const IS_LINKED = "select 1 from linked_accounts where hotkey = $1";

const UNREAD = `
select account_id from linked_accounts l join accounts a using (account_id)
where ${READ} and coalesce(greatest(l.read_at_ms, l.tried_at_ms), 0) < $1
  and coalesce(l.lease_until_ms, 0) <= ${DATABASE_NOW_MS}
order by coalesce(greatest(l.read_at_ms, l.tried_at_ms), 0), account_id limit $2`;

/**
 * A process that takes the lease concurrently waits for the row, and then finds the new holder. When a holder is
 * replaced, its reading counts as failed, because the network may have sent it items that the network sends only once.
 */
const TAKE_LEASE = `
update linked_accounts set lease_holder = $2, lease_until_ms = ${DATABASE_NOW_MS} + $3::bigint,
  failing_since_ms = case when lease_holder <> $2
    then coalesce(failing_since_ms, ${DATABASE_NOW_MS}) else failing_since_ms end
where account_id = $1 and (lease_holder is null or lease_holder = $2
  or lease_until_ms <= ${DATABASE_NOW_MS})
returning account_id`;

const RELEASE = `
update linked_accounts set lease_holder = null, lease_until_ms = null
where account_id = $1 and lease_holder = $2`;

const CHANGED = `
update linked_accounts l set behind_since_ms = ${nextBehindSinceSql("$2::bigint")}
where l.account_id = $1 returning l.behind_since_ms`;

const FAILED = `
update linked_accounts set failing_since_ms = coalesce(failing_since_ms, $2),
  tried_at_ms = greatest(tried_at_ms, $2)
where account_id = $1 and coalesce(read_at_ms, 0) <= $2`;

const RECORDS: ListColumns<LinkedRecord> = [
  ["kind", "text", (record) => record.kind],
  ["id", "text", (record) => record.id],
  ["at_ms", "bigint", (record) => record.atMs],
  ["body", "text", (record) => record.body],
];

/**
 * One statement, so that all is one transaction and one round trip. The readings may lack an order that was sent or
 * ended meanwhile, so their time is then at most the order's. Unchanged readings keep their stored form, so that most
 * polls write one short row.
 */
const STORE = listStatement<{ readonly records: LinkedRecord }>(
  { records: RECORDS },
  (from) => `
with held as materialized (
  select account_id, a.status, a.version, l.readings, coalesce(l.lease_holder = $2, false) as holds
  ${FROM_LINKED_ACCOUNT_SQL} for no key update
), stored as (
  insert into linked_records as r (account_id, kind, id, at_ms, body, seq)
  select h.account_id, n.kind, n.id, n.at_ms, n.body, h.version
  from held h cross join ${from.records} as n (kind, id, at_ms, body)
  on conflict (account_id, kind, id) do update set at_ms = excluded.at_ms, body = excluded.body
  where (select holds from held) and (r.at_ms, r.body) is distinct from (excluded.at_ms, excluded.body)
  returning 1
), judged as materialized (
  select account_id, holds, holds and status <> 'closed' and status <> $5 as moves,
    holds and readings is distinct from $3 as differs, exists (select from stored) as adds
  from held
), moved as (
  update accounts a set status = $5 from judged j where a.account_id = j.account_id and j.moves
), counted as (
  update linked_accounts l set revision = l.revision + 1
  from judged j where l.account_id = j.account_id and j.adds and not j.holds
), written as (
  update linked_accounts l set revision = l.revision + (j.moves or j.differs or j.adds)::int,
    readings = case when j.differs then $3 else l.readings end,
    pairs = case when j.differs then $7::text[] else l.pairs end,
    read_at_ms = case when l.behind_since_ms is distinct from $6::bigint
      then least($4, l.behind_since_ms) else $4 end,
    failing_since_ms = null, lease_holder = null, lease_until_ms = null
  from judged j where l.account_id = j.account_id and j.holds
)
select 1 from judged where holds`,
  8,
);

const NEWEST_RECORDS = `
select kind, id, at_ms, body from linked_records
where account_id = $1 and kind = $2 order by at_ms desc, id desc limit $3`;

const SUMMARY = `
select count(*)::int as linked, count(l.failing_since_ms)::int as failing,
  min(l.read_at_ms) filter (where l.failing_since_ms is null) as oldest
from linked_accounts l join accounts a using (account_id) where ${READ}`;

const OPEN_PAIRS = `
select pair, count(*)::int as accounts
from linked_accounts l join accounts a using (account_id) cross join lateral unnest(l.pairs) as pair
where ${READ} group by pair order by pair`;

interface LinkedRow {
  readonly account_id: string;
  readonly owner_id: string;
  readonly status: AccountStatus;
  readonly version: string;
  readonly head_hash: Uint8Array;
  readonly revision: string;
  readonly hotkey: string;
  readonly subaccount_id: string;
  readonly subaccount_uuid: string;
  readonly profit_split: number;
  readonly linked_at_ms: string;
  readonly readings: string | null;
  readonly pairs: readonly string[];
  readonly read_at_ms: string | null;
  readonly behind_since_ms: string | null;
  readonly failing_since_ms: string | null;
}

interface RecordRow {
  readonly kind: LinkedRecordKind;
  readonly id: string;
  readonly at_ms: string;
  readonly body: string;
}

interface SummaryRow {
  readonly linked: number;
  readonly failing: number;
  readonly oldest: string | null;
}

/** Strings that are not uuids match no account; PostgreSQL would throw an error for them. */
const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

export function createLinkedAccountStore(database: Database): LinkedAccountStore {
  const find = async (account: AccountId): Promise<LinkedAccount | null> => {
    if (!UUID.test(account)) return null;
    const [row] = await database.query<LinkedRow>(FIND, [account]);
    return row === undefined ? null : linkedAccount(row);
  };
  return {
    async link(link, opening) {
      const { accountId: id, linkedAtMs } = link;
      const start = { accountId: id, version: 0, headHash: CHAIN_START, lastAtMs: 0 };
      const lines = chainNewLines(start, [opening], linkedAtMs);
      const rows = await database.query(LINK.text, [
        link.accountId,
        toStorableText(link.hotkey),
        link.subaccountId,
        toStorableText(link.subaccountUuid),
        link.profitSplit,
        link.linkedAtMs,
        link.ownerId,
        link.status,
        lines[0]?.hash,
        ...LINK.parameters({ lines }),
      ]);
      return rows.length === 1 ? "linked" : "linkedBefore";
    },
    close: (account, closing) =>
      database.transaction(async (transaction) => {
        const locked = await lockJournal(transaction, account, "");
        if (locked === null || locked.status === "closed") return false;
        const lines = chainNewLines(locked.head, [closing], locked.nowMs);
        await appendLines(transaction, lines);
        await transaction.query(CLOSE, [account, locked.nowMs]);
        return true;
      }),
    find,
    isLinked: async (hotkey) =>
      (await database.query(IS_LINKED, [toStorableText(hotkey)])).length === 1,
    async unreadSince(before, limit) {
      const rows = await database.query<{ account_id: string }>(UNREAD, [before, limit]);
      return rows.map((row) => accountId(row.account_id));
    },
    async takeLease(account, holder, forMs) {
      const rows = await database.query(TAKE_LEASE, [account, holder, forMs]);
      // `find` is a second statement: the first one may have waited, and would join the old row of `accounts`.
      return rows.length === 1 ? find(account) : null;
    },
    async releaseLease(account, holder) {
      await database.query(RELEASE, [account, holder]);
    },
    async storeReading(write) {
      const { lines } = write;
      if (lines === null) return storeOnly(database, write);
      return database.transaction(async (transaction) => {
        const locked = await lockJournal(transaction, write.accountId, write.holder);
        if (locked !== null && locked.status !== "closed") {
          const known = await readKnownHistory(transaction, write, {
            lines,
            isHeld: locked.isHeld,
          });
          const made = chainNewLines(locked.head, lines.makeLines(known), write.readAtMs);
          await appendLines(transaction, made);
        }
        return storeOnly(transaction, write);
      });
    },
    async recordChange(account, atMs) {
      const rows = await database.query<Pick<LinkedRow, "behind_since_ms">>(CHANGED, [
        account,
        atMs,
      ]);
      return timeOf(rows[0]?.behind_since_ms ?? null);
    },
    async recordFailure(account, atMs) {
      await database.query(FAILED, [account, atMs]);
    },
    async records(account, kind, limit) {
      const rows = await database.query<RecordRow>(NEWEST_RECORDS, [account, kind, limit]);
      return rows.map(({ kind: of, id, at_ms, body }) => ({
        kind: of,
        id,
        atMs: Number(at_ms),
        body,
      }));
    },
    async summary() {
      const [row] = await database.query<SummaryRow>(SUMMARY, []);
      return {
        linked: row?.linked ?? 0,
        failing: row?.failing ?? 0,
        oldestReadAtMs: timeOf(row?.oldest ?? null),
      };
    },
    openPairs: () => database.query<OpenPair>(OPEN_PAIRS, []),
  };
}

async function storeOnly(database: Queryable, write: ReadingWrite): Promise<boolean> {
  const rows = await database.query(STORE.text, [
    write.accountId,
    write.holder,
    toStorableText(write.readings),
    write.readAtMs,
    write.status,
    write.behindSinceMs,
    write.pairs.map(toStorableText),
    ...STORE.parameters({ records: latestRecords(write) }),
  ]);
  return rows.length === 1;
}

/** The last record of each kind and id, because a statement cannot write the same row twice. */
function latestRecords({ records }: ReadingWrite): readonly LinkedRecord[] {
  const last = new Map<string, LinkedRecord>();
  for (const { kind, id, atMs, body } of records) {
    const record = { kind, id: toStorableText(id), atMs, body: toStorableText(body) };
    last.set(`${kind}\n${record.id}`, record);
  }
  return [...last.values()];
}

function linkedAccount(row: LinkedRow): LinkedAccount {
  return {
    accountId: accountId(row.account_id),
    ownerId: ownerId(row.owner_id),
    status: row.status,
    version: Number(row.version),
    headHash: row.head_hash,
    revision: Number(row.revision),
    hotkey: row.hotkey,
    subaccountId: Number(row.subaccount_id),
    subaccountUuid: row.subaccount_uuid,
    profitSplit: row.profit_split,
    linkedAtMs: unixMs(Number(row.linked_at_ms)),
    readings: row.readings,
    pairs: row.pairs,
    readAtMs: timeOf(row.read_at_ms),
    behindSinceMs: timeOf(row.behind_since_ms),
    failingSinceMs: timeOf(row.failing_since_ms),
  };
}

function timeOf(column: string | null): UnixMs | null {
  return column === null ? null : unixMs(Number(column));
}

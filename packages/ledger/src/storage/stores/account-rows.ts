import {
  type AccountId,
  type AccountState,
  accountId,
  type ChainedLine,
  type UnixMs,
  unixMs,
} from "@propgate/core";
import type { Queryable } from "../databases/database.ts";
import { decodePhrases, encodePhrases } from "../journal/line-text.ts";
import type { Projections } from "../journal/projections.ts";
import type { Lease } from "../leases/lease-store.ts";
import { createFence, type Fence, LEASE_COLUMNS, NO_FENCE } from "../leases/write-fence.ts";
import type { AccountActivity } from "../rows/account-activity.ts";
import { partitionOf } from "../rows/partition.ts";
import type { QuotePosition } from "../rows/quote-position.ts";
import { PROJECTION_LISTS, type ProjectionLists, projectionInserts } from "./projection-rows.ts";
import { columnNames, type ListColumns, type ListSources, listStatement } from "./row-lists.ts";

/** An account as stored: its last snapshot, and the events after it, each as JSON. */
export interface StoredAccount {
  readonly accountId: string;
  readonly version: number;
  readonly headHash: Uint8Array;
  readonly state: string;
  readonly stateVersion: number;
  /** The events after the snapshot, up to `version`. */
  readonly later: readonly string[];
  /** The position of the newest quote that a decision on the account has read. */
  readonly place: QuotePosition;
  /** The newest epoch among the lost quotes that decisions on the account had read; 0 when none was lost. */
  readonly lostEpoch: number;
  /** Time of the journal's newest line. */
  readonly lastAtMs: UnixMs;
}

/** The change that a batch makes to an account: the version before it, and the columns after it. */
export interface ChangedAccount {
  readonly accountId: AccountId;
  /** The version that the change was decided from; 0 for a new account. */
  readonly before: number;
  /** The hash of that version's line; null for a new account. */
  readonly beforeHash: Uint8Array | null;
  readonly version: number;
  readonly state: AccountState;
  readonly headHash: Uint8Array;
  readonly dueAtMs: UnixMs | null;
  /** The position of the newest quote that this decision or an earlier one has read. */
  readonly place: QuotePosition;
  /** The newest epoch among the lost quotes that decisions on the account had read; 0 when none was lost. */
  readonly lostEpoch: number;
  /** Time of the change's first line. It must not be older than the account's previous line. */
  readonly firstAtMs: UnixMs;
  readonly lastAtMs: UnixMs;
  /** The times that the change replaces. A null keeps the stored time. */
  readonly activity: AccountActivity;
}

/** The receipt of a command that was carried out. When it is read, its answer is rendered from the journal lines. */
export interface ReceiptRow {
  readonly keyId: string;
  readonly nonce: string;
  readonly decidedAtMs: UnixMs;
  /** The moment of admission, as stored with the nonce. For a command without a nonce, the moment of the decision. */
  readonly receivedAtMs: UnixMs;
  readonly accountId: AccountId;
  /** Number of the command's first journal line. */
  readonly firstSeq: number;
  /** How many lines the command wrote; 0 when it had no effect. */
  readonly lines: number;
  /**
   * JSON: the part of the answer that the lines do not contain; `null` for a command that is neither an order nor a
   * change of the dead man's switch.
   */
  readonly rest: string;
}

/** All rows that a batch of commands writes, by the table that they belong to. */
export interface BatchRows {
  readonly accounts: readonly ChangedAccount[];
  readonly journal: readonly ChainedLine[];
  readonly projections: Projections;
  readonly receipts: readonly ReceiptRow[];
}

/** A receipt that is already stored, of an order that was carried out or rejected. */
export interface ExistingReceipt extends Pick<ReceiptRow, "keyId" | "nonce"> {
  readonly isAccepted: boolean;
}

interface ReceiptKeyRow {
  readonly key_id: string;
  readonly nonce: string;
  readonly is_accepted: boolean;
}

/** A row of the statement that reads stored accounts. */
export interface AccountRow {
  readonly account_id: string;
  readonly version: string;
  readonly head_hash: Uint8Array;
  readonly state_version: string;
  readonly state: string;
  /** The events after the snapshot, one in each line of text; null when there are none. */
  readonly later: string | null;
  readonly quote_epoch: string;
  readonly quote_number: string;
  readonly lost_epoch: string;
  readonly last_at_ms: string;
}

const ACCOUNTS: ListColumns<ChangedAccount> = [
  ["account_id", "uuid", (account) => account.accountId],
  ["before", "bigint", (account) => account.before],
  ["before_hash", "bytea", (account) => account.beforeHash],
  ["owner_id", "text", (account) => account.state.ownerId],
  ["status", "text", (account) => account.state.status],
  ["version", "bigint", (account) => account.version],
  ["head_hash", "bytea", (account) => account.headHash],
  ["exposed", "boolean", (account) => isExposed(account.state)],
  ["due_at_ms", "bigint", (account) => account.dueAtMs],
  ["created_at_ms", "bigint", (account) => account.state.openedAtMs],
  ["quote_epoch", "bigint", (account) => account.place.epoch],
  ["quote_number", "bigint", (account) => account.place.number],
  ["lost_epoch", "bigint", (account) => account.lostEpoch],
  ["first_at_ms", "bigint", (account) => account.firstAtMs],
  ["last_at_ms", "bigint", (account) => account.lastAtMs],
  ["last_order_at_ms", "bigint", (account) => account.activity.lastOrderAtMs],
  ["last_activity_at_ms", "bigint", (account) => account.activity.lastActivityAtMs],
  ["ended_at_ms", "bigint", (account) => account.activity.endedAtMs],
];
const SNAPSHOTS: ListColumns<ChangedAccount> = [
  ["account_id", "uuid", (account) => account.accountId],
  ["version", "bigint", (account) => account.version],
  ["state", "text", (account) => JSON.stringify(account.state)],
];
/**
 * The columns of the table `journal`, each with its value for a line. Events and inputs are stored in their shortened
 * form.
 */
export const JOURNAL_COLUMNS: ListColumns<ChainedLine> = [
  ["account_id", "uuid", (row) => row.accountId],
  ["seq", "bigint", (row) => row.seq],
  ["at_ms", "bigint", (row) => row.atMs],
  ["origin", "text", (row) => row.origin],
  ["key_id", "text", (row) => row.keyId],
  ["nonce", "text", (row) => row.nonce],
  ["command", "text", (row) => row.command],
  ["event", "text", (row) => encodePhrases(row.event)],
  ["inputs", "text", (row) => (row.inputs === null ? null : encodePhrases(row.inputs))],
  ["hash", "bytea", (row) => row.hash],
];
const RECEIPTS: ListColumns<ReceiptRow> = [
  ["key_id", "text", (row) => row.keyId],
  ["nonce", "text", (row) => row.nonce],
  ["decided_at_ms", "bigint", (row) => row.decidedAtMs],
  ["received_at_ms", "bigint", (row) => row.receivedAtMs],
  ["account_id", "uuid", (row) => row.accountId],
  ["first_seq", "bigint", (row) => row.firstSeq],
  ["lines", "integer", (row) => row.lines],
  ["rest", "text", (row) => row.rest],
];

interface BatchLists extends ProjectionLists {
  readonly unchanged: readonly [account: string, head: HashedVersion];
  readonly accounts: ChangedAccount;
  readonly snapshots: ChangedAccount;
  readonly journal: ChainedLine;
  readonly receipts: ReceiptRow;
}

/** A version of an account, with the hash of its line. */
export type HashedVersion = Pick<StoredAccount, "version" | "headHash">;

const UNCHANGED: ListColumns<BatchLists["unchanged"]> = [
  ["account_id", "uuid", ([account]) => account],
  ["version", "bigint", ([, { version }]) => version],
  ["head_hash", "bytea", ([, { headHash }]) => headHash],
];

const IN_DONE_SQL = "account_id in (select account_id from done)";

interface FencedLists extends BatchLists {
  readonly leases: Lease;
}

const LISTS = {
  unchanged: UNCHANGED,
  accounts: ACCOUNTS,
  snapshots: SNAPSHOTS,
  journal: JOURNAL_COLUMNS,
  ...PROJECTION_LISTS,
  receipts: RECEIPTS,
};

/**
 * Compares the versions of a batch's accounts, each by number and hash, and writes the rows of those that are still the
 * newest, all in one round trip. An account that another session has locked is skipped without waiting. `$1` is the
 * time to wait for other locks. A line that is older than the previous line is not written. Rows are locked, and
 * receipts inserted, in one order on every node, so that two batches cannot deadlock. A receipt that exists fails the
 * statement with 23505. @rule D13.namedByHash @rule D12.lineTime decides
 */
const writeSql = (from: ListSources<BatchLists>, fence: Fence): string => `
with limits as materialized (
  select set_config('lock_timeout', $1, true) as lock_wait
)${fence.tables}, changed as materialized (
  select * from ${from.accounts} as c (${columnNames(ACCOUNTS)}) where ${fence.condition}
), locked as materialized (
  select a.account_id from accounts a join changed c using (account_id)
  where (select lock_wait from limits) is not null
    and a.network = 'embedded' and a.version = c.before and a.head_hash = c.before_hash and c.before > 0
    and a.last_at_ms <= c.first_at_ms
  order by a.account_id for no key update of a skip locked
), moved as (
  update accounts a set status = c.status, version = c.version, head_hash = c.head_hash,
    exposed = c.exposed, due_at_ms = c.due_at_ms, quote_epoch = c.quote_epoch,
    quote_number = c.quote_number, lost_epoch = c.lost_epoch, last_at_ms = c.last_at_ms,
    last_order_at_ms = coalesce(c.last_order_at_ms, a.last_order_at_ms),
    last_activity_at_ms = coalesce(c.last_activity_at_ms, a.last_activity_at_ms),
    ended_at_ms = coalesce(a.ended_at_ms, c.ended_at_ms)
  from changed c join locked using (account_id)
  where a.account_id = c.account_id
  returning a.account_id
), opened as (
  insert into accounts (account_id, owner_id, status, version, head_hash, exposed, due_at_ms,
    created_at_ms, quote_epoch, quote_number, lost_epoch, last_at_ms, last_order_at_ms,
    last_activity_at_ms, ended_at_ms)
  select account_id, owner_id, status, version, head_hash, exposed, due_at_ms, created_at_ms,
    quote_epoch, quote_number, lost_epoch, last_at_ms, last_order_at_ms, last_activity_at_ms, ended_at_ms
  from changed where before = 0 and (select lock_wait from limits) is not null order by account_id
  on conflict do nothing
  returning account_id
), done as materialized (
  select account_id from moved union all select account_id from opened
), same as materialized (
  select a.account_id from accounts a
  join ${from.unchanged} as u (${columnNames(UNCHANGED)}) using (account_id, version, head_hash)
  where a.network = 'embedded' and ${fence.condition}
), kept as (
  insert into account_states (${columnNames(SNAPSHOTS)})
  select * from ${from.snapshots} as s (${columnNames(SNAPSHOTS)}) where ${IN_DONE_SQL}
  on conflict (account_id) do update set version = excluded.version, state = excluded.state
), written as (
  insert into journal (${columnNames(JOURNAL_COLUMNS)})
  select * from ${from.journal} as j (${columnNames(JOURNAL_COLUMNS)}) where ${IN_DONE_SQL}
), ${projectionInserts(from, IN_DONE_SQL)}, answered as (
  insert into receipts (${columnNames(RECEIPTS)}, status)
  select r.*, 200
  from ${from.receipts} as r (${columnNames(RECEIPTS)})
  where ${IN_DONE_SQL} or account_id in (select account_id from same) order by key_id, nonce
)
select account_id from done union all select account_id from same ${fence.failed}`;

/** Only the statement of a batch with leases reads the table `leases`. */
const WRITE = {
  free: listStatement<BatchLists>(LISTS, (from) => writeSql(from, NO_FENCE), 2),
  fenced: listStatement<FencedLists>(
    { ...LISTS, leases: LEASE_COLUMNS },
    (from) => writeSql(from, createFence(from.leases)),
    2,
  ),
};

/** An account's snapshot is written once in this many versions, so that a load reads fewer journal lines than this. */
const VERSIONS_PER_SNAPSHOT = 8;

function needsSnapshot({ before, version }: ChangedAccount): boolean {
  const count = (versions: number): number => Math.floor(versions / VERSIONS_PER_SNAPSHOT);
  return before === 0 || count(version) > count(before);
}

const STORED = `
select a.account_id, a.version, a.head_hash, a.quote_epoch, a.quote_number, a.lost_epoch, a.last_at_ms,
  s.version as state_version, s.state,
  case when s.version < a.version then (
    select string_agg(j.event, e'\\n' order by j.seq) from journal j
    where j.account_id = a.account_id and j.seq > s.version and j.seq <= a.version) end as later
from accounts a join account_states s using (account_id)`;

/** Reads these embedded accounts. Unknown ones are missing. */
export async function loadAccounts(
  database: Queryable,
  accountIds: readonly AccountId[],
): Promise<readonly StoredAccount[]> {
  const rows = await database.query<AccountRow>(`${STORED} where a.account_id = any ($1::uuid[])`, [
    accountIds,
  ]);
  return rows.map(storedAccount);
}

/** Selects accounts with open positions or pending orders, sorted by partition and id, after the account `after`. */
export interface ExposedPage {
  readonly firstPartition: number;
  readonly lastPartition: number;
  readonly after: AccountId | null;
  readonly limit: number;
}

/** The condition matches the index of exposed accounts, so that a page reads only its own accounts. */
const ON_PAGE = `a.exposed and (partition_of(a.account_id), a.account_id) > ($1::integer, $2::uuid)
  and partition_of(a.account_id) <= $3 order by partition_of(a.account_id), a.account_id limit $4`;
/** An id that sorts before the id of every account. */
const FIRST_ID = "00000000-0000-0000-0000-000000000000";

function pageParameters({ firstPartition, lastPartition, after, limit }: ExposedPage) {
  const from = after === null ? [firstPartition, FIRST_ID] : [partitionOf(after), after];
  return [...from, lastPartition, limit];
}

/** Reads the accounts that the page selects, each with its snapshot and the events after it. */
export async function loadExposed(
  database: Queryable,
  page: ExposedPage,
): Promise<readonly StoredAccount[]> {
  const rows = await database.query<AccountRow>(`${STORED} where ${ON_PAGE}`, pageParameters(page));
  return rows.map(storedAccount);
}

/** The version of an account that has open positions or pending orders. */
export interface ExposedVersion {
  readonly accountId: AccountId;
  readonly version: number;
  /** The first half of the hash of the line with that version, in hexadecimal. */
  readonly headHash: string;
}

/** The versions of the accounts of a page, in the order of the page. */
export async function readExposedVersions(
  database: Queryable,
  page: ExposedPage,
): Promise<readonly ExposedVersion[]> {
  const rows = await database.query<{
    readonly account_id: string;
    readonly version: string;
    readonly head_hash: string;
  }>(
    `select a.account_id, a.version, encode(substring(a.head_hash for 16), 'hex') as head_hash
     from accounts a where ${ON_PAGE}`,
    pageParameters(page),
  );
  return rows.map((row) => ({
    accountId: accountId(row.account_id),
    version: Number(row.version),
    headHash: row.head_hash,
  }));
}

/** The greatest epoch of the quotes that decisions on accounts have read; 0 when there is none. */
export async function readNewestQuoteEpoch(database: Queryable): Promise<number> {
  const [row] = await database.query<{ readonly epoch: string | null }>(
    "select max(quote_epoch) as epoch from accounts",
    [],
  );
  return Number(row?.epoch ?? 0);
}

/** Time of the newest line in the journals of embedded accounts; null when there is none. */
export async function readNewestLineTime(database: Queryable): Promise<UnixMs | null> {
  const [row] = await database.query<{ readonly newest: string | null }>(
    "select max(last_at_ms) as newest from accounts where network = 'embedded'",
    [],
  );
  return row?.newest == null ? null : unixMs(Number(row.newest));
}

/**
 * Writes the rows of the accounts whose newest line still has the number `before` and the hash `beforeHash`. Returns
 * their ids, and the ids of the unchanged accounts that still have the given version. For all other accounts no row is
 * written, because another session has locked or changed them.
 * Returns null when one of the leases has another epoch or owner; then no row was written.
 * @throws a unique violation when a receipt exists; then no row was written
 */
export async function writeBatch(
  database: Queryable,
  { accounts, journal, projections, receipts }: BatchRows,
  options: {
    readonly unchanged: ReadonlyMap<AccountId, HashedVersion>;
    /** The leases that the batch was decided under; none in a process without NATS. */
    readonly leases: readonly Lease[];
    readonly lockWaitMs: number;
  },
): Promise<ReadonlySet<string> | null> {
  const { leases } = options;
  const lists = {
    unchanged: [...options.unchanged],
    accounts,
    snapshots: accounts.filter(needsSnapshot),
    journal,
    ...projections,
    receipts,
  };
  const { text, parameters } =
    leases.length === 0
      ? { text: WRITE.free.text, parameters: WRITE.free.parameters(lists) }
      : {
          text: WRITE.fenced.text,
          parameters: WRITE.fenced.parameters({ ...lists, leases }),
        };
  const rows = await database.query<{ readonly account_id: string | null }>(text, [
    String(options.lockWaitMs),
    ...parameters,
  ]);
  const written = new Set<string>();
  for (const { account_id: id } of rows) {
    if (id === null) return null;
    written.add(id);
  }
  return written;
}

/** Replaces the due time of an account if the account still has the given version. */
export async function replaceDueTime(
  database: Queryable,
  account: Pick<ChangedAccount, "accountId" | "version" | "dueAtMs">,
): Promise<void> {
  await database.query(
    "update accounts set due_at_ms = $3 where account_id = $1 and version = $2",
    [account.accountId, account.version, account.dueAtMs],
  );
}

/** Returns which of these receipts are already stored. */
export async function findExistingReceipts(
  database: Queryable,
  receipts: readonly Pick<ReceiptRow, "keyId" | "nonce">[],
): Promise<readonly ExistingReceipt[]> {
  const rows = await database.query<ReceiptKeyRow>(
    `select key_id, nonce, status = 200 as is_accepted from receipts
     join unnest($1::text[], $2::text[]) as w (key_id, nonce) using (key_id, nonce)`,
    [receipts.map(({ keyId }) => keyId), receipts.map(({ nonce }) => nonce)],
  );
  return rows.map(({ key_id, nonce, is_accepted: isAccepted }) => ({
    keyId: key_id,
    nonce,
    isAccepted,
  }));
}

/** True when the account has open positions or pending orders. */
export function isExposed(state: AccountState): boolean {
  return state.positions.length > 0 || state.orders.length > 0;
}

/** Splitting `later` at line feeds is exact, because a stored event contains none. */
function storedAccount(row: AccountRow): StoredAccount {
  return {
    accountId: row.account_id,
    version: Number(row.version),
    headHash: row.head_hash,
    state: row.state,
    stateVersion: Number(row.state_version),
    later: row.later?.split("\n").map(decodePhrases) ?? [],
    place: { epoch: Number(row.quote_epoch), number: Number(row.quote_number) },
    lostEpoch: Number(row.lost_epoch),
    lastAtMs: unixMs(Number(row.last_at_ms)),
  };
}

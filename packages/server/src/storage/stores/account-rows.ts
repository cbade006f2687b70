import type { AccountId, AccountState, UnixMs } from "@propgate/core";
import type { Queryable } from "../databases/database.ts";
import type { JournalRow } from "../journal/chain.ts";
import type { Projections } from "../journal/projections.ts";
import { PROJECTION_LISTS, type ProjectionLists, projectionInserts } from "./projection-rows.ts";
import { columnNames, type ListColumns, listStatement } from "./row-lists.ts";

/** An account as stored. `state` is null when the caller already has that version. */
export interface StoredAccount {
  readonly accountId: string;
  readonly version: number;
  readonly headHash: Uint8Array;
  readonly state: AccountState | null;
}

export interface ChangedAccount {
  readonly accountId: AccountId;
  readonly isNew: boolean;
  readonly version: number;
  readonly state: AccountState;
  readonly headHash: Uint8Array;
  readonly dueAtMs: UnixMs | null;
}

export interface HashedRow extends JournalRow {
  readonly hash: Uint8Array;
}

/** The receipt of a carried-out order. */
export interface ReceiptRow {
  readonly keyId: string;
  readonly nonce: string;
  readonly decidedAtMs: UnixMs;
  /** The answer to the order, in the stored form. */
  readonly result: string;
}

export interface BatchRows {
  readonly accounts: readonly ChangedAccount[];
  readonly journal: readonly HashedRow[];
  readonly projections: Projections;
  readonly receipts: readonly ReceiptRow[];
}

interface ReceiptKeyRow {
  readonly key_id: string;
  readonly nonce: string;
}

interface AccountRow {
  readonly account_id: string;
  readonly version: string;
  readonly head_hash: Uint8Array;
  readonly state: string | null;
}

/** Locks accounts in the order of their ids on every node, so that two batches cannot deadlock. */
const LOCK = `
select a.account_id, a.version, a.head_hash,
  case when a.version = w.version then null else a.state end as state
from accounts a join unnest($1::uuid[], $2::bigint[]) as w (account_id, version) using (account_id)
where a.network = 'embedded' order by a.account_id for no key update of a`;

/** The same, without the accounts that another session holds. */
const LOCK_FREE = `${LOCK} skip locked`;

const ACCOUNTS: ListColumns<ChangedAccount> = [
  ["account_id", "uuid", (account) => account.accountId],
  ["is_new", "boolean", (account) => account.isNew],
  ["owner_id", "text", (account) => account.state.ownerId],
  ["status", "text", (account) => account.state.status],
  ["version", "bigint", (account) => account.version],
  ["state", "text", (account) => JSON.stringify(account.state)],
  ["head_hash", "bytea", (account) => account.headHash],
  ["exposed", "boolean", (account) => isExposed(account.state)],
  ["due_at_ms", "bigint", (account) => account.dueAtMs],
  ["created_at_ms", "bigint", (account) => account.state.openedAtMs],
];
const JOURNAL: ListColumns<HashedRow> = [
  ["account_id", "uuid", (row) => row.accountId],
  ["seq", "bigint", (row) => row.seq],
  ["at_ms", "bigint", (row) => row.atMs],
  ["origin", "text", (row) => row.origin],
  ["key_id", "text", (row) => row.keyId],
  ["nonce", "text", (row) => row.nonce],
  ["command", "text", (row) => row.command],
  ["event", "text", (row) => row.event],
  ["hash", "bytea", (row) => row.hash],
];
const RECEIPTS: ListColumns<ReceiptRow> = [
  ["key_id", "text", (row) => row.keyId],
  ["nonce", "text", (row) => row.nonce],
  ["decided_at_ms", "bigint", (row) => row.decidedAtMs],
  ["result", "text", (row) => row.result],
];

interface BatchLists extends ProjectionLists {
  readonly accounts: ChangedAccount;
  readonly journal: HashedRow;
  readonly receipts: ReceiptRow;
}

/** Writes a whole batch in one round trip. */
const WRITE = listStatement<BatchLists>(
  { accounts: ACCOUNTS, journal: JOURNAL, ...PROJECTION_LISTS, receipts: RECEIPTS },
  (from) => `
with changed as materialized (
  select * from ${from.accounts} as c (${columnNames(ACCOUNTS)})
), opened as (
  insert into accounts (account_id, owner_id, status, version, state, head_hash, exposed,
    due_at_ms, created_at_ms)
  select account_id, owner_id, status, version, state, head_hash, exposed, due_at_ms, created_at_ms
  from changed where is_new
), moved as (
  update accounts a set status = c.status, version = c.version, state = c.state,
    head_hash = c.head_hash, exposed = c.exposed, due_at_ms = c.due_at_ms
  from changed c where a.account_id = c.account_id and not c.is_new
), written as (
  insert into journal (${columnNames(JOURNAL)}) select * from ${from.journal}
), ${projectionInserts(from)}
insert into receipts (key_id, nonce, decided_at_ms, status, result)
select key_id, nonce, decided_at_ms, 200, result
from ${from.receipts} as r (${columnNames(RECEIPTS)})
on conflict do nothing
returning key_id, nonce`,
);

/** Locks the accounts until the transaction ends; unknown accounts are missing. */
export async function lockAccounts(
  transaction: Queryable,
  known: ReadonlyMap<AccountId, number>,
): Promise<readonly StoredAccount[]> {
  const rows = await transaction.query<AccountRow>(LOCK, [[...known.keys()], [...known.values()]]);
  return rows.map(storedAccount);
}

/** Locks the accounts that no other session has locked, and returns the ids of the others. Never waits. */
export async function lockFreeAccounts(
  transaction: Queryable,
  known: ReadonlyMap<AccountId, number>,
): Promise<{
  readonly accounts: readonly StoredAccount[];
  readonly held: ReadonlySet<string>;
}> {
  const ids = [...known.keys()];
  const rows = await transaction.query<AccountRow>(LOCK_FREE, [ids, [...known.values()]]);
  const free = new Set(rows.map((row) => row.account_id));
  const there = await transaction.query<Pick<AccountRow, "account_id">>(
    "select account_id from accounts where network = 'embedded' and account_id = any ($1::uuid[])",
    [ids],
  );
  const held = there.map((row) => row.account_id).filter((id) => !free.has(id));
  return { accounts: rows.map(storedAccount), held: new Set(held) };
}

export async function loadAccounts(
  database: Queryable,
  accountIds: readonly AccountId[],
): Promise<readonly StoredAccount[]> {
  const rows = await database.query<AccountRow>(
    `select account_id, version, head_hash, state from accounts
     where network = 'embedded' and account_id = any ($1::uuid[])`,
    [accountIds],
  );
  return rows.map(storedAccount);
}

/** Accounts with open positions or pending orders, by id, after the id `after`. */
export async function loadExposed(
  database: Queryable,
  page: { readonly after: string | null; readonly limit: number },
): Promise<readonly StoredAccount[]> {
  const rows = await database.query<AccountRow>(
    `select account_id, version, head_hash, state from accounts
     where exposed and ($1::uuid is null or account_id > $1) order by account_id limit $2`,
    [page.after, page.limit],
  );
  return rows.map(storedAccount);
}

/** The versions of these accounts, in the same order. */
export async function exposedVersions(
  database: Queryable,
  page: { readonly after: string | null; readonly limit: number },
): Promise<readonly { readonly accountId: string; readonly version: number }[]> {
  const rows = await database.query<{ readonly account_id: string; readonly version: string }>(
    `select account_id, version from accounts
     where exposed and ($1::uuid is null or account_id > $1) order by account_id limit $2`,
    [page.after, page.limit],
  );
  return rows.map((row) => ({ accountId: row.account_id, version: Number(row.version) }));
}

/**
 * Returns the receipts that another call had already closed; the effects of their orders must be rolled
 * back. Waits for a transaction that is closing one of them.
 */
export async function writeBatch(
  transaction: Queryable,
  { accounts, journal, projections, receipts }: BatchRows,
): Promise<readonly ReceiptRow[]> {
  const rows = await transaction.query<ReceiptKeyRow>(
    WRITE.text,
    WRITE.parameters({ accounts, journal, ...projections, receipts }),
  );
  if (rows.length === receipts.length) return [];
  const written = new Set(rows.map(({ key_id, nonce }) => `${key_id}\n${nonce}`));
  return receipts.filter(({ keyId, nonce }) => !written.has(`${keyId}\n${nonce}`));
}

export function isExposed(state: AccountState): boolean {
  return state.positions.length > 0 || state.orders.length > 0;
}

function storedAccount(row: AccountRow): StoredAccount {
  return {
    accountId: row.account_id,
    version: Number(row.version),
    headHash: row.head_hash,
    state: row.state === null ? null : parseState(row.state),
  };
}

/** Only the executor and a rebuild write this column, always from an `AccountState`. */
function parseState(text: string): AccountState {
  return JSON.parse(text) as AccountState;
}

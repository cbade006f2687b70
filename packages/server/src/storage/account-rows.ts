import type { AccountId, AccountState, UnixMs } from "@propgate/core";
import type { JournalRow } from "../journal/chain.ts";
import type { Projections } from "../journal/projections.ts";
import type { Queryable } from "./database.ts";
import { projectionInserts, projectionParameters } from "./projection-rows.ts";

/** An account as stored. `state` is null where the caller already has that version. */
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

/** What became of an order that was carried out, for whoever asks by its nonce. */
export interface ReceiptRow {
  readonly keyId: string;
  readonly nonce: string;
  readonly decidedAtMs: UnixMs;
  /** What its sender is answered, as receipts keep it. */
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

/** Locked in the order of their ids on every node, so that two batches cannot wait for each other. */
const LOCK = `
select a.account_id, a.version, a.head_hash,
  case when a.version = w.version then null else a.state end as state
from accounts a join unnest($1::uuid[], $2::bigint[]) as w (account_id, version) using (account_id)
order by a.account_id for no key update of a`;

/** All that a batch writes, in one round trip. */
const WRITE = `
with changed as materialized (
  select * from unnest($1::uuid[], $2::boolean[], $3::text[], $4::text[], $5::bigint[], $6::text[],
    $7::bytea[], $8::boolean[], $9::bigint[], $10::bigint[]) as c (account_id, is_new, owner_id,
    status, version, state, head_hash, exposed, due_at_ms, created_at_ms)
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
  insert into journal (account_id, seq, at_ms, origin, key_id, nonce, command, event, hash)
  select * from unnest($11::uuid[], $12::bigint[], $13::bigint[], $14::text[], $15::text[],
    $16::text[], $17::text[], $18::text[], $19::bytea[])
), ${projectionInserts(20)}
insert into receipts (key_id, nonce, decided_at_ms, status, result)
select key_id, nonce, decided_at_ms, 200, result
from unnest($35::text[], $36::text[], $37::bigint[], $38::text[])
  as r (key_id, nonce, decided_at_ms, result)
on conflict do nothing
returning key_id, nonce`;

/** Holds the accounts until the transaction ends; those that do not exist are missing. */
export async function lockAccounts(
  transaction: Queryable,
  known: ReadonlyMap<AccountId, number>,
): Promise<readonly StoredAccount[]> {
  const rows = await transaction.query<AccountRow>(LOCK, [[...known.keys()], [...known.values()]]);
  return rows.map(storedAccount);
}

export async function loadAccounts(
  database: Queryable,
  accountIds: readonly AccountId[],
): Promise<readonly StoredAccount[]> {
  const rows = await database.query<AccountRow>(
    "select account_id, version, head_hash, state from accounts where account_id = any ($1::uuid[])",
    [accountIds],
  );
  return rows.map(storedAccount);
}

/** Those with open positions or resting orders, by id; `after` is the last one of the page before. */
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

/** How far each of those is, in the same order. */
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
 * Returns the receipts that somebody has ended before: what their orders did must be rolled back. One
 * that is being ended just now is waited for.
 */
export async function writeBatch(
  transaction: Queryable,
  batch: BatchRows,
): Promise<readonly ReceiptRow[]> {
  const { accounts, journal, projections, receipts } = batch;
  const rows = await transaction.query<ReceiptKeyRow>(WRITE, [
    accounts.map((account) => account.accountId),
    accounts.map((account) => account.isNew),
    accounts.map((account) => account.state.ownerId),
    accounts.map((account) => account.state.status),
    accounts.map((account) => account.version),
    accounts.map((account) => JSON.stringify(account.state)),
    accounts.map((account) => account.headHash),
    accounts.map((account) => isExposed(account.state)),
    accounts.map((account) => account.dueAtMs),
    accounts.map((account) => account.state.openedAtMs),
    journal.map((row) => row.accountId),
    journal.map((row) => row.seq),
    journal.map((row) => row.atMs),
    journal.map((row) => row.origin),
    journal.map((row) => row.keyId),
    journal.map((row) => row.nonce),
    journal.map((row) => row.command),
    journal.map((row) => row.event),
    journal.map((row) => row.hash),
    ...projectionParameters(projections),
    receipts.map((row) => row.keyId),
    receipts.map((row) => row.nonce),
    receipts.map((row) => row.decidedAtMs),
    receipts.map((row) => row.result),
  ]);
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

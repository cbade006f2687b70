import {
  type AccountId,
  accountId,
  type ChainedLine,
  type Event,
  type JournalHead,
  parseEvent,
  type UnixMs,
  unixMs,
} from "@propgate/core";
import type { Queryable } from "../databases/database.ts";
import type { AccountActivity } from "../rows/account-activity.ts";
import { decodePhrases } from "./line-text.ts";

/** An account's row at the moment of reading. Its journal up to `version` never changes. */
export interface AccountHead extends JournalHead {
  /** The account's last snapshot as JSON. It is the state at `stateVersion`. */
  readonly state: string;
  readonly stateVersion: number;
  readonly status: string;
  readonly exposed: boolean;
  readonly dueAtMs: UnixMs | null;
  /** The time of the account's newest line. */
  readonly lastAtMs: number;
  readonly activity: AccountActivity;
}

/** An event of a journal, with the other columns of its line. Inputs and hash are left out. */
export interface JournalEntry {
  readonly sequence: number;
  readonly atMs: UnixMs;
  readonly origin: string;
  readonly keyId: string | null;
  readonly nonce: string | null;
  readonly command: string;
  readonly event: Event;
}

type JournalHeadRow = Pick<HeadRow, "account_id" | "version" | "head_hash">;

/** A row with the columns `HEAD_COLUMNS`. */
export interface HeadRow {
  readonly account_id: string;
  readonly version: string;
  readonly head_hash: Uint8Array;
  readonly state: string;
  readonly state_version: string;
  readonly status: string;
  readonly exposed: boolean;
  readonly due_at_ms: string | null;
  readonly last_at_ms: string;
  readonly last_order_at_ms: string | null;
  readonly last_activity_at_ms: string | null;
  readonly ended_at_ms: string | null;
}

/** A row of `journal` with the columns `LINE_COLUMNS`. */
export interface LineRow {
  readonly account_id: string;
  readonly seq: string;
  readonly at_ms: string;
  readonly origin: string;
  readonly key_id: string | null;
  readonly nonce: string | null;
  readonly command: string;
  readonly event: string;
  readonly inputs: string | null;
  readonly hash: Uint8Array;
}

/** The columns of an `AccountHead`, from `accounts a` and `account_states s`. */
export const HEAD_COLUMNS = `a.account_id, a.version, a.head_hash, s.state, s.version as state_version,
    a.status, a.exposed, a.due_at_ms, a.last_at_ms, a.last_order_at_ms, a.last_activity_at_ms, a.ended_at_ms`;
const HEAD = `select ${HEAD_COLUMNS}
  from accounts a join account_states s using (account_id)`;
/** The columns of a `LineRow`, from `journal`. */
export const LINE_COLUMNS =
  "account_id, seq, at_ms, origin, key_id, nonce, command, event, inputs, hash";
const JOURNAL_HEADS = `select account_id, version, head_hash from accounts
  where ($1::uuid is null or account_id > $1) and ($2::uuid is null or account_id = $2)
  order by account_id limit $3`;
const HEADS_PAGE = 200;
const LINES_PAGE = 1000;

/** The heads of all journals, or the head of one account's. They are read page by page, in the order of the ids. */
export async function* readJournalHeads(
  database: Queryable,
  which: AccountId | "all",
): AsyncGenerator<JournalHead> {
  let after: string | null = null;
  for (;;) {
    const rows: readonly JournalHeadRow[] = await database.query<JournalHeadRow>(JOURNAL_HEADS, [
      after,
      which === "all" ? null : which,
      HEADS_PAGE,
    ]);
    yield* rows.map((row) => ({
      accountId: accountId(row.account_id),
      version: Number(row.version),
      headHash: row.head_hash,
    }));
    after = rows.at(-1)?.account_id ?? null;
    if (rows.length < HEADS_PAGE) return;
  }
}

/**
 * The rows of all embedded accounts, or the row of one. They are read page by page, in the order of the ids. Linked
 * accounts are left out, because they have no state.
 */
export async function* readAccountHeads(
  database: Queryable,
  which: AccountId | "all",
): AsyncGenerator<AccountHead> {
  let after: string | null = null;
  for (;;) {
    const rows: readonly HeadRow[] = await database.query<HeadRow>(
      `${HEAD}
       where ($1::uuid is null or a.account_id > $1) and ($2::uuid is null or a.account_id = $2)
       order by a.account_id limit $3`,
      [after, which === "all" ? null : which, HEADS_PAGE],
    );
    yield* rows.map(accountHead);
    after = rows.at(-1)?.account_id ?? null;
    if (rows.length < HEADS_PAGE) return;
  }
}

/**
 * Locks an embedded account against other writers until the transaction ends, and returns its row; null when there is
 * none.
 */
export async function lockHead(
  transaction: Queryable,
  account: AccountId,
): Promise<AccountHead | null> {
  const rows = await transaction.query<HeadRow>(
    `${HEAD} where a.account_id = $1 for no key update of a`,
    [account],
  );
  return rows.map(accountHead)[0] ?? null;
}

/** Replaces the account's snapshot, and all columns of its row that derive from its journal except version and hash. */
export async function replaceHead(
  transaction: Queryable,
  head: Omit<AccountHead, "version" | "headHash">,
): Promise<void> {
  await transaction.query(
    `with replaced as (
       update account_states set state = $2, version = $3 where account_id = $1 returning account_id)
     update accounts a set status = $4, exposed = $5, due_at_ms = $6, last_at_ms = $7,
       last_order_at_ms = $8, last_activity_at_ms = $9, ended_at_ms = $10
     from replaced r where a.account_id = r.account_id`,
    [
      head.accountId,
      head.state,
      head.stateVersion,
      head.status,
      head.exposed,
      head.dueAtMs,
      head.lastAtMs,
      head.activity.lastOrderAtMs,
      head.activity.lastActivityAtMs,
      head.activity.endedAtMs,
    ],
  );
}

/** The ids of accounts that have journal lines and no row. */
export async function findOrphanedJournals(
  database: Queryable,
  which: AccountId | "all",
): Promise<readonly AccountId[]> {
  const rows = await database.query<{ account_id: string }>(
    `select distinct j.account_id from journal j
       left join accounts a using (account_id)
     where a.account_id is null and ($1::uuid is null or j.account_id = $1) order by 1`,
    [which === "all" ? null : which],
  );
  return rows.map((row) => accountId(row.account_id));
}

/** An account's lines after number `after` up to number `upTo`, oldest first, read page by page. */
export async function* journalLines(
  database: Queryable,
  account: AccountId,
  range: { readonly after: number; readonly upTo: number },
): AsyncGenerator<ChainedLine> {
  const { upTo } = range;
  let { after } = range;
  for (;;) {
    const rows: readonly LineRow[] = await database.query<LineRow>(
      `select ${LINE_COLUMNS} from journal
       where account_id = $1 and seq > $2 and seq <= $3 order by seq limit $4`,
      [account, after, upTo, LINES_PAGE],
    );
    yield* rows.map(chainedLine);
    after = Number(rows.at(-1)?.seq ?? after);
    if (rows.length < LINES_PAGE) return;
  }
}

/**
 * The first `limit` events of the account after number `afterSequence`, oldest first; 0 begins with the first event.
 */
export async function readJournal(
  database: Queryable,
  options: {
    readonly accountId: AccountId;
    readonly afterSequence: number;
    readonly limit: number;
  },
): Promise<readonly JournalEntry[]> {
  const rows = await database.query<LineRow>(
    `select ${LINE_COLUMNS} from journal where account_id = $1 and seq > $2 order by seq limit $3`,
    [options.accountId, options.afterSequence, options.limit],
  );
  return rows.map(chainedLine).map(journalEntry);
}

/** The `limit` lines before number `before`, newest first; null begins with the newest line. */
export async function readNewestLines(
  database: Queryable,
  account: AccountId,
  page: { readonly before: number | null; readonly limit: number },
): Promise<readonly ChainedLine[]> {
  const rows = await database.query<LineRow>(
    `select ${LINE_COLUMNS} from journal where account_id = $1 and ($2::bigint is null or seq < $2)
     order by seq desc limit $3`,
    [account, page.before, page.limit],
  );
  return rows.map(chainedLine);
}

/**
 * The events after number `after` up to number `upTo` whose column `event` contains the text, newest first. The column
 * has codes in place of frequent phrases, so a text with such a phrase is not found.
 */
export async function readLinesContaining(
  database: Queryable,
  account: AccountId,
  range: { readonly after: number; readonly upTo: number; readonly text: string },
): Promise<readonly JournalEntry[]> {
  const rows = await database.query<LineRow>(
    `select ${LINE_COLUMNS} from journal where account_id = $1 and seq > $2 and seq <= $3
       and position($4 in event) > 0 order by seq desc`,
    [account, range.after, range.upTo, range.text],
  );
  return rows.map(chainedLine).map(journalEntry);
}

function journalEntry({ seq, atMs, event, ...line }: ChainedLine): JournalEntry {
  return {
    sequence: seq,
    atMs: unixMs(atMs),
    origin: line.origin,
    keyId: line.keyId,
    nonce: line.nonce,
    command: line.command,
    event: parseEvent(event),
  };
}

export function accountHead(row: HeadRow): AccountHead {
  return {
    accountId: accountId(row.account_id),
    version: Number(row.version),
    headHash: row.head_hash,
    state: row.state,
    stateVersion: Number(row.state_version),
    status: row.status,
    exposed: row.exposed,
    dueAtMs: timeOrNull(row.due_at_ms),
    lastAtMs: Number(row.last_at_ms),
    activity: {
      lastOrderAtMs: timeOrNull(row.last_order_at_ms),
      lastActivityAtMs: timeOrNull(row.last_activity_at_ms),
      endedAtMs: timeOrNull(row.ended_at_ms),
    },
  };
}

/** The time in a bigint column. Null stays null. */
export function timeOrNull(column: string | null): UnixMs | null {
  return column === null ? null : unixMs(Number(column));
}

/** The journal line of a row, with the full JSON of its event and inputs. */
export function chainedLine(row: LineRow): ChainedLine {
  return {
    accountId: accountId(row.account_id),
    seq: Number(row.seq),
    atMs: Number(row.at_ms),
    origin: row.origin,
    keyId: row.key_id,
    nonce: row.nonce,
    command: row.command,
    event: decodePhrases(row.event),
    inputs: row.inputs === null ? null : decodePhrases(row.inputs),
    hash: row.hash,
  };
}

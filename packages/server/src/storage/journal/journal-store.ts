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
import { fullText } from "./line-text.ts";

/** An account's row at the moment of reading. Its journal up to that version never changes. */
export interface AccountHead extends JournalHead {
  /** JSON as stored. */
  readonly state: string;
  readonly status: string;
  readonly exposed: boolean;
  readonly dueAtMs: UnixMs | null;
}

/** An event with its position, as shown to an operator. */
export interface JournalEntry {
  readonly sequence: number;
  readonly atMs: UnixMs;
  readonly origin: string;
  readonly keyId: string | null;
  readonly nonce: string | null;
  readonly command: string;
  readonly event: Event;
}

interface HeadRow {
  readonly account_id: string;
  readonly version: string;
  readonly head_hash: Uint8Array;
  readonly state: string;
  readonly status: string;
  readonly exposed: boolean;
  readonly due_at_ms: string | null;
}

interface LineRow {
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

const HEAD = "account_id, version, head_hash, state, status, exposed, due_at_ms";
const LINE = "account_id, seq, at_ms, origin, key_id, nonce, command, event, inputs, hash";
const HEADS_PAGE = 200;
const LINES_PAGE = 1000;

/** One account or all embedded accounts, by id, read page by page. A linked account has no journal. */
export async function* accountHeads(
  database: Queryable,
  which: AccountId | "all",
): AsyncGenerator<AccountHead> {
  let after: string | null = null;
  for (;;) {
    const rows: readonly HeadRow[] = await database.query<HeadRow>(
      `select ${HEAD} from accounts
       where network = 'embedded' and ($1::uuid is null or account_id > $1)
         and ($2::uuid is null or account_id = $2)
       order by account_id limit $3`,
      [after, which === "all" ? null : which, HEADS_PAGE],
    );
    yield* rows.map(accountHead);
    after = rows.at(-1)?.account_id ?? null;
    if (rows.length < HEADS_PAGE) return;
  }
}

/** Locks the account against other writers until the transaction ends. */
export async function lockHead(
  transaction: Queryable,
  account: AccountId,
): Promise<AccountHead | null> {
  const rows = await transaction.query<HeadRow>(
    `select ${HEAD} from accounts where network = 'embedded' and account_id = $1 for no key update`,
    [account],
  );
  return rows.map(accountHead)[0] ?? null;
}

/** Replaces all columns of the account's row that derive from its journal. */
export async function replaceHead(
  transaction: Queryable,
  head: Omit<AccountHead, "version" | "headHash">,
): Promise<void> {
  await transaction.query(
    `update accounts set state = $2, status = $3, exposed = $4, due_at_ms = $5
     where network = 'embedded' and account_id = $1`,
    [head.accountId, head.state, head.status, head.exposed, head.dueAtMs],
  );
}

/** Ids of journal lines whose account has no row, or is linked. */
export async function orphans(
  database: Queryable,
  which: AccountId | "all",
): Promise<readonly AccountId[]> {
  const rows = await database.query<{ account_id: string }>(
    `select distinct j.account_id from journal j
       left join accounts a on a.account_id = j.account_id and a.network = 'embedded'
     where a.account_id is null and ($1::uuid is null or j.account_id = $1) order by 1`,
    [which === "all" ? null : which],
  );
  return rows.map((row) => accountId(row.account_id));
}

/** An account's lines after number `after`, oldest first, read page by page. */
export async function* journalLines(
  database: Queryable,
  account: AccountId,
  range: { readonly after: number; readonly upTo: number },
): AsyncGenerator<ChainedLine> {
  const { upTo } = range;
  let { after } = range;
  for (;;) {
    const rows: readonly LineRow[] = await database.query<LineRow>(
      `select ${LINE} from journal
       where account_id = $1 and seq > $2 and seq <= $3 order by seq limit $4`,
      [account, after, upTo, LINES_PAGE],
    );
    yield* rows.map(chainedLine);
    after = Number(rows.at(-1)?.seq ?? after);
    if (rows.length < LINES_PAGE) return;
  }
}

/** The account's events, oldest first; `afterSequence` 0 begins with the first. */
export async function readJournal(
  database: Queryable,
  options: {
    readonly accountId: AccountId;
    readonly afterSequence: number;
    readonly limit: number;
  },
): Promise<readonly JournalEntry[]> {
  const rows = await database.query<LineRow>(
    `select ${LINE} from journal where account_id = $1 and seq > $2 order by seq limit $3`,
    [options.accountId, options.afterSequence, options.limit],
  );
  return rows.map(chainedLine).map(journalEntry);
}

/** The lines before number `before`, newest first; null for the newest lines. */
export async function newestLines(
  database: Queryable,
  account: AccountId,
  page: { readonly before: number | null; readonly limit: number },
): Promise<readonly ChainedLine[]> {
  const rows = await database.query<LineRow>(
    `select ${LINE} from journal where account_id = $1 and ($2::bigint is null or seq < $2)
     order by seq desc limit $3`,
    [account, page.before, page.limit],
  );
  return rows.map(chainedLine);
}

/** Lines after `after`, up to `upTo`, whose event contains the text; newest first. */
export async function linesWith(
  database: Queryable,
  account: AccountId,
  range: { readonly after: number; readonly upTo: number; readonly text: string },
): Promise<readonly JournalEntry[]> {
  const rows = await database.query<LineRow>(
    `select ${LINE} from journal where account_id = $1 and seq > $2 and seq <= $3
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

function accountHead(row: HeadRow): AccountHead {
  return {
    accountId: accountId(row.account_id),
    version: Number(row.version),
    headHash: row.head_hash,
    state: row.state,
    status: row.status,
    exposed: row.exposed,
    dueAtMs: row.due_at_ms === null ? null : unixMs(Number(row.due_at_ms)),
  };
}

function chainedLine(row: LineRow): ChainedLine {
  return {
    accountId: accountId(row.account_id),
    seq: Number(row.seq),
    atMs: Number(row.at_ms),
    origin: row.origin,
    keyId: row.key_id,
    nonce: row.nonce,
    command: row.command,
    event: fullText(row.event),
    inputs: row.inputs === null ? null : fullText(row.inputs),
    hash: row.hash,
  };
}

/** Reads the new lines of the journal once per observation, for all checkers. */
import {
  type AccountId,
  type AccountState,
  accountId,
  type ChainedLine,
  type Event,
  evolve,
  parseEvent,
} from "@propgate/core";
import {
  type AccountHead,
  accountHead,
  HEAD_COLUMNS,
  type HeadRow,
} from "../../../packages/ledger/src/storage/journal/journal-store.ts";
import { createStateCache } from "../../../packages/ledger/src/trading/state-cache.ts";

import type { Observation } from "../checker.ts";

/** A line of the journal with its parsed event. */
export interface JournalLine extends Omit<ChainedLine, "event"> {
  /** The event's text as stored, byte for byte. */
  readonly text: string;
  readonly event: Event;
}

/** An account with new lines since the last observation. */
export interface NewAccountLines {
  readonly head: AccountHead;
  /** The new lines, oldest first. */
  readonly lines: readonly JournalLine[];
}

/** The new lines of an observation, and the states of all accounts. */
export interface NewLines {
  readonly moved: readonly NewAccountLines[];
  /** Every account as a service would load it. Accounts that cannot be loaded are missing. */
  readonly accounts: ReadonlyMap<AccountId, StoredState>;
}

/** The state of an account, with the number of journal lines that made it. */
export interface StoredState {
  readonly version: number;
  readonly state: AccountState;
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

const HEADS = `
select ${HEAD_COLUMNS}
from accounts a join account_states s using (account_id) left join unnest($1::uuid[], $2::bigint[]) as k (account_id, version)
  on k.account_id = a.account_id
where k.version is null or k.version <> a.version order by a.account_id`;

const LINES = `
select j.account_id, j.seq, j.at_ms, j.origin, j.key_id, j.nonce, j.command,
  journal_text(j.event) as event, journal_text(j.inputs) as inputs, j.hash
from unnest($1::uuid[], $2::bigint[]) as k (account_id, seq)
  join journal j on j.account_id = k.account_id and j.seq > k.seq
order by j.account_id, j.seq`;

/** The reader that all checkers of a run share. The first one to ask for an observation's news causes the read. */
export class JournalReader {
  readonly #versions = new Map<AccountId, number>();
  readonly #accounts = new Map<AccountId, StoredState>();
  #read: { readonly observation: Observation; readonly news: Promise<NewLines> } | null = null;

  news(observation: Observation): Promise<NewLines> {
    // Copies of an observation have the same list `ended`.
    if (this.#read?.observation.ended !== observation.ended)
      this.#read = { observation, news: this.#readOn(observation) };
    return this.#read.news;
  }

  async #readOn({ database }: Observation): Promise<NewLines> {
    const known = [[...this.#versions.keys()], [...this.#versions.values()]];
    const heads = (await database.query<HeadRow>(HEADS, known)).map(accountHead);
    const lines = heads.length === 0 ? new Map() : await this.#linesOf(database, heads);
    const moved = heads.map((head) => ({ head, lines: lines.get(head.accountId) ?? [] }));
    const ids = heads.map((head) => head.accountId);
    for (const { accountId: id, version } of heads) this.#versions.set(id, version);
    for (const id of ids) this.#accounts.delete(id);
    for (const { version, state } of await createStateCache(database, {
      evolve,
      onFault() {},
    }).load(ids)) {
      this.#accounts.set(state.accountId, { version, state });
    }
    return { moved, accounts: this.#accounts };
  }

  async #linesOf(
    database: Observation["database"],
    heads: readonly AccountHead[],
  ): Promise<ReadonlyMap<AccountId, readonly JournalLine[]>> {
    const ids = heads.map((head) => head.accountId);
    const after = ids.map((id) => this.#versions.get(id) ?? 0);
    const rows = await database.query<LineRow>(LINES, [ids, after]);
    return Map.groupBy(rows.map(lineOf), (line) => line.accountId);
  }
}

function lineOf(row: LineRow): JournalLine {
  return {
    accountId: accountId(row.account_id),
    seq: Number(row.seq),
    atMs: Number(row.at_ms),
    origin: row.origin,
    keyId: row.key_id,
    nonce: row.nonce,
    command: row.command,
    text: row.event,
    event: parseEvent(row.event),
    inputs: row.inputs,
    hash: row.hash,
  };
}

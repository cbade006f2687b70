import {
  type ChainedLine,
  chainHash,
  type JournalHead,
  type JournalRow,
  unixMs,
} from "@propgate/core";
import type { Queryable } from "../databases/database.ts";
import { type AccountUse, accountUseAfter, NO_ACTIVITY } from "../rows/account-activity.ts";
import { JOURNAL_COLUMNS } from "../stores/account-rows.ts";
import { columnNames, listStatement } from "../stores/row-lists.ts";
import { sha256 } from "./line-hash.ts";

/** A line before it is appended, without account, number, time and hash. */
export type NewLine = Pick<JournalRow, "origin" | "keyId" | "nonce" | "command" | "event">;

/** The head of a journal with the time of its newest line. No later line may be older than that. */
export interface TimedHead extends JournalHead {
  readonly lastAtMs: number;
}

/** Chains new lines to the head. Each gets the later of two times: `readAtMs` and the time of the newest line. */
export function chainNewLines(
  { accountId, version, headHash, lastAtMs }: TimedHead,
  lines: readonly NewLine[],
  readAtMs: number,
): readonly ChainedLine[] {
  const atMs = Math.max(readAtMs, lastAtMs);
  let hash = headHash;
  return lines.map((line, index) => {
    const row: JournalRow = { accountId, seq: version + 1 + index, atMs, ...line, inputs: null };
    hash = chainHash(sha256, hash, row);
    return { ...row, hash };
  });
}

/** One statement appends the lines and moves the account's head, so that neither is written without the other. */
const APPEND = listStatement<{ readonly lines: ChainedLine }>(
  { lines: JOURNAL_COLUMNS },
  ({ lines }) => `
with written as (
  insert into journal (${columnNames(JOURNAL_COLUMNS)})
  select * from ${lines} as j (${columnNames(JOURNAL_COLUMNS)})
)
update accounts set version = $2, head_hash = $3, last_at_ms = $4,
  last_order_at_ms = coalesce($5, last_order_at_ms), last_activity_at_ms = coalesce($6, last_activity_at_ms)
where account_id = $1`,
  7,
);

/** Writes the lines of one account, whose row the transaction has locked. */
export async function appendLines(
  transaction: Queryable,
  lines: readonly ChainedLine[],
): Promise<void> {
  const last = lines.at(-1);
  if (last === undefined) return;
  const { accountId, seq, hash, atMs } = last;
  const { lastOrderAtMs, lastActivityAtMs } = lines.reduce<AccountUse>(
    (before, line) => accountUseAfter(before, line, unixMs(line.atMs)),
    NO_ACTIVITY,
  );
  await transaction.query(APPEND.text, [
    accountId,
    seq,
    hash,
    atMs,
    lastOrderAtMs,
    lastActivityAtMs,
    ...APPEND.parameters({ lines }),
  ]);
}

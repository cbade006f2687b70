import { type AccountId, type AccountStatus, type UnixMs, unixMs } from "@propgate/core";
import type { Queryable } from "../../databases/database.ts";
import type { TimedHead } from "../../journal/append-lines.ts";
import { DATABASE_NOW_MS } from "./storable-text.ts";

/** The journal of a linked account, locked so that no other transaction can write to it. */
export interface LockedJournal {
  readonly head: TimedHead;
  readonly status: AccountStatus;
  /** True when the `holder` that `lockJournal` was given has the lease of the account. */
  readonly isHeld: boolean;
  /** The time of the database's clock. */
  readonly nowMs: UnixMs;
}

/**
 * The SQL of the two rows of a linked account: from clause and condition. Every statement that locks both rows locks
 * them in this order, so that none can deadlock.
 */
export const FROM_LINKED_ACCOUNT_SQL = `
  from linked_accounts l join accounts a using (account_id)
  where l.account_id = $1`;

const LOCK = `
select a.version, a.head_hash, a.last_at_ms, a.status, coalesce(l.lease_holder = $2, false) as is_held,
  ${DATABASE_NOW_MS} as now_ms
${FROM_LINKED_ACCOUNT_SQL} for no key update`;

interface LockedRow {
  readonly version: string;
  readonly head_hash: Uint8Array;
  readonly last_at_ms: string;
  readonly status: AccountStatus;
  readonly is_held: boolean;
  readonly now_ms: string;
}

/** Locks the journal and returns it; null when there is no such linked account. */
export async function lockJournal(
  transaction: Queryable,
  accountId: AccountId,
  holder: string,
): Promise<LockedJournal | null> {
  const [row] = await transaction.query<LockedRow>(LOCK, [accountId, holder]);
  if (row === undefined) return null;
  return {
    head: {
      accountId,
      version: Number(row.version),
      headHash: row.head_hash,
      lastAtMs: Number(row.last_at_ms),
    },
    status: row.status,
    isHeld: row.is_held,
    nowMs: unixMs(Number(row.now_ms)),
  };
}

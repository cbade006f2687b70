import type { AccountId } from "@propgate/core";
import { putRecent } from "./network/history/recent-entries.ts";
import type { ReadAt } from "./network/port.ts";
import type { CommittedAccount } from "./state-cache.ts";

/** The journal of an account is not the one that this process has read: a restore or a failover has lost lines. */
class HistoryChanged extends Error {
  override readonly name = "HistoryChanged";
}

/**
 * Called with an account whose lines were lost, after memory has the account of the database. `account` is null when
 * the database does not have it.
 */
export type HistoryListener = (id: AccountId, account: CommittedAccount | null) => void;

/** The newest states that this process knows. A state is identified by its version and the hash of its line. */
export interface StateMemory {
  get(id: AccountId): CommittedAccount | null;
  /** Keeps the account unless a state of the same or a later version is already kept. */
  put(account: CommittedAccount): void;
  /** The number of states kept so far. Read it before a query to the database, and pass it to `compare`. */
  putCount(): number;
  /**
   * Compares an account of the database (null when it has none) with the one in memory. If memory had its version
   * before the query began and the database has lost that version, memory takes the account of the database instead, or
   * forgets the account when the database has none.
   */
  compare(id: AccountId, stored: CommittedAccount | null, keptAt: number): void;
}

export function createStateMemory(options: {
  readonly accountsMax: number;
  readonly onChanged: (cause: Error, ...changed: Parameters<HistoryListener>) => void;
}): StateMemory {
  const { accountsMax, onChanged } = options;
  const states = new Map<
    AccountId,
    { readonly account: CommittedAccount; readonly order: number }
  >();
  let kept = 0;

  const put = (account: CommittedAccount): void => {
    const id = account.state.accountId;
    const before = states.get(id);
    if (before !== undefined && before.account.version >= account.version) return;
    kept += 1;
    // The account whose last change is the oldest is dropped first.
    putRecent(states, { key: id, value: { account, order: kept }, max: accountsMax });
  };

  return {
    get: (id) => states.get(id)?.account ?? null,
    put,
    putCount: () => kept,
    /**
     * Does nothing unless memory had the account before the query began, and the database now has an older version of
     * it, another line with the same number, or no such account. Then memory takes the account of the database, or
     * forgets the account when the database has none. @rule D13.namedByHash decides
     */
    compare(id, stored, keptAt) {
      const known = states.get(id);
      if (known === undefined || known.order > keptAt) return;
      if (stored !== null && mayFollow(stored, known.account)) return;
      states.delete(id);
      if (stored !== null) put(stored);
      onChanged(historyChangeError(known.account, stored), id, stored);
    },
  };
}

/** True when the stored account is the known one or may come after it. */
function mayFollow(stored: CommittedAccount, known: CommittedAccount): boolean {
  if (stored.version !== known.version) return stored.version > known.version;
  return Buffer.from(stored.headHash).equals(known.headHash);
}

function historyChangeError(
  { version, state: { accountId } }: CommittedAccount,
  stored: CommittedAccount | null,
): HistoryChanged {
  const other = stored?.version === version ? "another line" : "line";
  const has = stored === null ? "no line" : `${other} ${stored.version}`;
  return new HistoryChanged(
    `account ${accountId} was at line ${version} here, and the database has ${has}`,
  );
}

/** The number of bytes of a hash in an admission and in a cursor. */
const SHORT_BYTES = 16;

/**
 * True when the account has exactly the version and the hash of `at`. A hash that `at` does not have is not compared.
 */
export function isAtVersion({ version, headHash }: CommittedAccount, at: ReadAt): boolean {
  if (version !== at.version) return false;
  const hash = Buffer.from(headHash.subarray(0, SHORT_BYTES)).toString("hex");
  return at.headHash === undefined || at.headHash === null || at.headHash === hash;
}

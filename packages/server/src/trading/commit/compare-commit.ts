import type { AccountId } from "@propgate/core";
import type { Database } from "../../storage/databases/database.ts";
import { type BatchRows, writeBatch } from "../../storage/stores/account-rows.ts";
import type { CommittedAccount, StateCache } from "../state-cache.ts";
import type { Attempt } from "./batch-attempts.ts";
import { closedBefore } from "./closed-before.ts";
import type { CommitObserver } from "./commit-observer.ts";
import type { LeftOut } from "./left-out.ts";

/** The rows that follow from the decisions of a batch. */
export interface Decisions {
  readonly rows: BatchRows;
}

export interface CommitRound<Decided extends Decisions> {
  readonly accountIds: readonly AccountId[];
  readonly attempt: Attempt;
  /** Decides the commands of these accounts; unknown accounts are missing. */
  readonly decide: (accounts: ReadonlyMap<AccountId, CommittedAccount>) => Decided;
}

export interface Committed<Decided extends Decisions> {
  readonly decided: Decided;
  /** The accounts whose commands must be decided again; nothing of them was written. */
  readonly leftOut: ReadonlyMap<string, LeftOut>;
}

/**
 * Decides a batch and writes it, each account from its newest version or not at all. The rows of a
 * batch are all committed, except those of accounts that were left out.
 * @throws ClosedBefore when another session has closed a receipt of the batch
 */
export type BatchCommit = <Decided extends Decisions>(
  round: CommitRound<Decided>,
) => Promise<Committed<Decided>>;

/** A batch waits this long for a row that another session holds, for example a person with psql. */
const LOCK_WAIT_MS = 500;

/**
 * Decides from the cached states, then compares their versions and writes in one statement. The
 * statement is its own transaction, so a process that is stopped holds no lock of a row.
 *
 * The versions of unchanged accounts are compared too: a refusal, or a settlement without events,
 * may be wrong for the newest state of an account that another node has changed.
 */
export function createCompareCommit(options: {
  readonly database: Database;
  readonly cache: StateCache;
  readonly observer?: CommitObserver | undefined;
}): BatchCommit {
  const { database, cache, observer } = options;
  /** Accounts whose cached version was not the newest when a batch wrote. */
  const stale = new Set<AccountId>();

  const newestStates = async (
    ids: readonly AccountId[],
  ): Promise<ReadonlyMap<AccountId, CommittedAccount>> => {
    const accounts = new Map<AccountId, CommittedAccount>();
    const missing: AccountId[] = [];
    for (const id of ids) {
      const cached = stale.has(id) ? null : cache.get(id);
      if (cached === null) missing.push(id);
      else accounts.set(id, cached);
    }
    if (missing.length === 0) return accounts;
    for (const account of await cache.load(missing)) accounts.set(account.state.accountId, account);
    for (const id of missing) stale.delete(id);
    return accounts;
  };

  return async ({ accountIds, attempt, decide }) => {
    const ids = [...new Set(accountIds)];
    const accounts = await newestStates(ids);
    const decided = decide(accounts);
    const { rows } = decided;
    const changed = new Set<string>(rows.accounts.map(({ accountId }) => accountId));
    const unchanged = new Map<AccountId, number>();
    for (const [id, { version }] of accounts) if (!changed.has(id)) unchanged.set(id, version);
    if (accounts.size === 0 && changed.size === 0) return { decided, leftOut: new Map() };
    const isCompared = (id: AccountId): boolean => changed.has(id) || unchanged.has(id);
    attempt.reachesCommit = true;
    const ended = observer?.begin(accountIds.length);
    const writing = writeBatch(database, rows, {
      unchanged,
      skipsHeld: attempt.skipsHeld,
      lockWaitMs: LOCK_WAIT_MS,
    });
    const confirmed = await closedBefore(
      database,
      rows.receipts,
      ended === undefined ? writing : writing.finally(ended),
    );
    observer?.wrote(rows.journal.filter(({ accountId }) => confirmed.has(accountId)).length);
    const moved = ids.filter((id) => isCompared(id) && !confirmed.has(id));
    for (const id of moved) stale.add(id);
    const why = attempt.skipsHeld ? "held" : "moved";
    return { decided, leftOut: new Map(moved.map((id) => [id, why])) };
  };
}

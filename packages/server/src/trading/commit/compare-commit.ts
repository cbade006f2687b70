import type { AccountId } from "@propgate/core";
import type { Database } from "../../storage/databases/database.ts";
import { loadAccounts, writeBatch } from "../../storage/stores/account-rows.ts";
import { type CommittedAccount, committed, type StateCache } from "../state-cache.ts";
import { closedBefore } from "./closed-before.ts";
import { type BatchCommit, LOCK_WAIT_MS } from "./commit-port.ts";
import { leftOutFrom } from "./left-out.ts";

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
}): BatchCommit {
  const { database, cache } = options;
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
    for (const stored of await loadAccounts(database, missing)) {
      const account = committed(stored);
      cache.put(account);
      accounts.set(account.state.accountId, account);
    }
    for (const id of missing) stale.delete(id);
    return accounts;
  };

  return {
    firstSkipsHeld: true,
    async run({ accountIds, attempt, decide }) {
      const ids = [...new Set(accountIds)];
      const accounts = await newestStates(ids);
      const decided = decide(accounts, new Map());
      const changed = new Set<string>(decided.rows.accounts.map(({ accountId }) => accountId));
      const unchanged = new Map<AccountId, number>();
      for (const [id, { version }] of accounts) if (!changed.has(id)) unchanged.set(id, version);
      if (accounts.size === 0 && changed.size === 0) return { decided, leftOut: new Map() };
      const isCompared = (id: AccountId): boolean => changed.has(id) || unchanged.has(id);
      const confirmed = await closedBefore(database, (report) => {
        report(decided.rows);
        attempt.reachesCommit = true;
        return writeBatch(database, decided.rows, {
          unchanged,
          skipsHeld: attempt.skipsHeld,
          lockWaitMs: LOCK_WAIT_MS,
        });
      });
      const moved = ids.filter((id) => isCompared(id) && !confirmed.has(id));
      for (const id of moved) stale.add(id);
      return { decided, leftOut: leftOutFrom(moved, attempt.skipsHeld ? "held" : "moved") };
    },
  };
}

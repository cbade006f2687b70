import type { AccountId } from "@propgate/core";
import type { Database, Queryable } from "../../storage/databases/database.ts";
import { lockAccounts, lockFreeAccounts, writeBatch } from "../../storage/stores/account-rows.ts";
import { type CommittedAccount, committed, type StateCache } from "../state-cache.ts";
import type { Attempt } from "./batch-attempts.ts";
import { closedBefore } from "./closed-before.ts";
import { type BatchCommit, LOCK_WAIT_MS } from "./commit-port.ts";
import { leftOutFrom } from "./left-out.ts";

/**
 * Locks the accounts, decides, writes and commits. A process that is stopped in between holds the
 * locks until the server ends its transaction.
 */
export function createLockCommit(options: {
  readonly database: Database;
  readonly cache: StateCache;
}): BatchCommit {
  const { database, cache } = options;
  return {
    firstSkipsHeld: false,
    run: ({ accountIds, attempt, decide }) =>
      closedBefore(database, (report) =>
        database.transaction(
          async (transaction) => {
            const { accounts, held } = await lock(transaction, cache, { accountIds, attempt });
            const decided = decide(accounts, leftOutFrom(held, "held"));
            const { rows } = decided;
            report(rows);
            const isEmpty = rows.accounts.length === 0 && rows.receipts.length === 0;
            const unchanged = new Map([...accounts].map(([id, { version }]) => [id, version]));
            for (const { accountId } of rows.accounts) unchanged.delete(accountId);
            const changed = rows.accounts.map(({ accountId }) => accountId);
            const written = isEmpty
              ? new Set<string>()
              : await writeBatch(transaction, rows, {
                  unchanged,
                  skipsHeld: false,
                  lockWaitMs: LOCK_WAIT_MS,
                });
            attempt.reachesCommit = true;
            const moved = changed.filter((id) => !written.has(id));
            return {
              decided,
              leftOut: new Map([...leftOutFrom(held, "held"), ...leftOutFrom(moved, "moved")]),
            };
          },
          { lockWaitMs: LOCK_WAIT_MS },
        ),
      ),
  };
}

async function lock(
  transaction: Queryable,
  cache: StateCache,
  given: { readonly accountIds: readonly AccountId[]; readonly attempt: Attempt },
): Promise<{
  readonly accounts: ReadonlyMap<AccountId, CommittedAccount>;
  /** Accounts that another session has locked; this attempt skips them. */
  readonly held: ReadonlySet<string>;
}> {
  const cached = new Map(given.accountIds.map((id) => [id, cache.get(id)]));
  const versions = new Map([...cached].map(([id, account]) => [id, account?.version ?? 0]));
  const locked = given.attempt.skipsHeld
    ? await lockFreeAccounts(transaction, versions)
    : { accounts: await lockAccounts(transaction, versions), held: new Set<string>() };
  const accounts = new Map<AccountId, CommittedAccount>();
  for (const stored of locked.accounts) {
    const account = stored.state === null ? cachedAs(cached, stored.accountId) : committed(stored);
    accounts.set(account.state.accountId, account);
  }
  return { accounts, held: locked.held };
}

function cachedAs(
  cached: ReadonlyMap<string, CommittedAccount | null>,
  id: string,
): CommittedAccount {
  const account = cached.get(id) ?? null;
  if (account === null)
    throw new Error("broken invariant: a locked account has a state, cached or loaded");
  return account;
}

import type { AccountId } from "@propgate/core";
import type { Executor } from "@propgate/ledger";

/**
 * Accounts that a command may have changed although the database's answer to the command was lost. This process may not
 * know new orders of such an account, and then it does not watch the prices of these orders. A settlement of the
 * account returns the account's present state, with all its orders. @rule D5.triggers
 */
export interface DoubtfulAccounts {
  readonly isEmpty: boolean;
  /** Settles the accounts of commands whose answer was lost since the previous call of `settleNew` or `sweep`. */
  settleNew(): void;
  /** Keeps an account, whose settlement has failed, for the next sweep. */
  keepForSweep(account: AccountId): void;
  /** Does the same as `settleNew`, and also settles the kept accounts that this node owns. */
  sweep(): void;
  /** Forgets the kept accounts for which `isForgotten` returns true. */
  forget(isForgotten: (account: AccountId) => boolean): void;
}

export function createDoubtfulAccounts(
  executor: Pick<Executor, "onUnknownFate">,
  {
    isOwned,
    settle,
  }: {
    readonly isOwned: (account: AccountId) => boolean;
    readonly settle: (account: AccountId) => void;
  },
): DoubtfulAccounts {
  const doubtful = new Set<AccountId>();
  const kept = new Set<AccountId>();
  executor.onUnknownFate((accounts) => {
    for (const account of accounts) doubtful.add(account);
  });
  const resolve = (): void => {
    for (const account of doubtful) settle(account);
    doubtful.clear();
  };
  return {
    get isEmpty() {
      return doubtful.size === 0;
    },
    settleNew: resolve,
    keepForSweep: (account) => void kept.add(account),
    sweep() {
      for (const account of kept) {
        // An account stays kept while this node does not own it, because the lease may be renewed. Settling it without
        // the lease would fail at every sweep.
        if (!isOwned(account)) continue;
        kept.delete(account);
        doubtful.add(account);
      }
      resolve();
    },
    forget(isForgotten) {
      for (const account of kept) if (isForgotten(account)) kept.delete(account);
    },
  };
}

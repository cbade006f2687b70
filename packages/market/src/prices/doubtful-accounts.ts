import type { AccountId } from "@propgate/core";
import type { Executor } from "@propgate/ledger";

/**
 * Accounts that a lost answer may have changed unseen, so that an order of theirs may not be watched. Settling one
 * returns its present state.
 * @rule D5.triggers
 */
export interface DoubtfulAccounts {
  readonly isEmpty: boolean;
  /** Settles those of commands whose answer was lost since. */
  resolve(): void;
  /** Keeps an account whose settlement failed for the next sweep. */
  keep(account: AccountId): void;
  /** The same as `resolve`, for the kept ones too. */
  sweep(): void;
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
    resolve,
    keep: (account) => void kept.add(account),
    sweep() {
      for (const account of kept) {
        // The lease may be renewed. Settling the account without a lease would fail at every sweep.
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

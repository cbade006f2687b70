import type { AccountId } from "@propgate/core";

/** The accounts whose lanes may have something to send since the last look at them. */
export interface AccountsToLookAt {
  add(account: AccountId): void;
  /** More lanes wait than one look finds; they are found when the known accounts have been looked at. */
  expectMore(): void;
  /** The accounts of the next look, which are forgotten: null for all, always with `ofAll`. */
  take(ofAll: boolean): readonly AccountId[] | null;
  forget(): void;
}

export function createAccountsToLookAt(): AccountsToLookAt {
  const accounts = new Set<AccountId>();
  let areMoreExpected = false;
  const forget = (): void => {
    accounts.clear();
    areMoreExpected = false;
  };
  return {
    add(account) {
      accounts.add(account);
    },
    expectMore() {
      areMoreExpected = true;
    },
    take(ofAll) {
      if (ofAll || (accounts.size === 0 && areMoreExpected)) {
        forget();
        return null;
      }
      const taken = [...accounts];
      accounts.clear();
      return taken;
    },
    forget,
  };
}

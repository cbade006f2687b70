const STORAGE_KEY = "propgate-account";

/** The id of the account that was shown last in this tab; null when no account was shown. */
export function readLastAccount(): string | null {
  try {
    return sessionStorage.getItem(STORAGE_KEY);
  } catch {
    return null;
  }
}

/** Stores the id of the account that this tab shows. */
export function keepLastAccount(accountId: string): void {
  try {
    sessionStorage.setItem(STORAGE_KEY, accountId);
  } catch {
    // A browser without storage only loses the link to the last account: the newest account is opened instead.
  }
}

const KEPT_AS = "propgate-account";

/** The id of the account that was shown last in this tab; null without one. */
export function lastAccount(): string | null {
  try {
    return sessionStorage.getItem(KEPT_AS);
  } catch {
    return null;
  }
}

/** Stores the id of the account that this tab shows. */
export function keepLastAccount(accountId: string): void {
  try {
    sessionStorage.setItem(KEPT_AS, accountId);
  } catch {
    // A browser without storage only loses the link to the last account: the newest account is opened instead.
  }
}

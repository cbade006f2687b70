const KEPT_AS = "propgate-account";

/** The account last shown in this tab. Pages without an account link back to it. */
export function lastAccount(): string | null {
  try {
    return sessionStorage.getItem(KEPT_AS);
  } catch {
    return null;
  }
}

export function keepLastAccount(accountId: string): void {
  try {
    sessionStorage.setItem(KEPT_AS, accountId);
  } catch {
    // In a browser without storage the link leads to the newest account.
  }
}

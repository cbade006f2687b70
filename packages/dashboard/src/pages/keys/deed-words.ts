const DEEDS: Readonly<Record<string, string>> = {
  "sign-in": "signed in",
  "sign-in.passkey": "signed in with a passkey",
  "link.use": "used a one-time link",
  "sign-out": "signed out",
  "sign-out.everywhere": "signed out everywhere",
  "session.end": "ended a session",
  "password.change": "changed the password",
  "passkey.add": "added a passkey",
  "passkey.remove": "removed a passkey",
  "key.create": "created a key",
  "key.revoke": "revoked a key",
  "account.flatten": "closed every position",
  "account.open": "opened the account",
  "account.provision": "let the account trade",
  "account.promote": "moved the account to its next phase",
  "account.offerPro": "offered a pro account",
  "account.eliminate": "eliminated the account",
  "account.close": "closed the account",
  "payout.record": "recorded a payment",
  "journal.verify": "verified the journal",
};

/** A deed of the audit as people read it; one that is not known here stands as it is. */
export function deedText(deed: string): string {
  return DEEDS[deed] ?? deed;
}

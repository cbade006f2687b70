const ACTIONS: Readonly<Record<string, string>> = {
  "sign-in": "signed in",
  "sign-in.passkey": "signed in with a passkey",
  "link.use": "used a one-time link",
  confirm: "confirmed with the password",
  "confirm.passkey": "confirmed with a passkey",
  "sign-out": "signed out",
  "sign-out.everywhere": "signed out everywhere",
  "session.end": "ended a session",
  "password.change": "changed the password",
  "passkey.add": "added a passkey",
  "passkey.remove": "removed a passkey",
  "keys.create": "created a key",
  "keys.revoke": "revoked a key",
  "account.flatten": "closed all positions",
  "accounts.open": "opened the account",
  "accounts.link": "linked the account",
  "accounts.provision": "provisioned the account",
  "accounts.promote": "moved the account to its next phase",
  "accounts.offerPro": "offered a pro account",
  "accounts.eliminate": "eliminated the account",
  "accounts.close": "closed the account",
  "payouts.record": "recorded a payment",
  "journal.verify": "verified the journal",
};

/** The names of the actions for which the table above has words. */
export const WORDED_ACTIONS: readonly string[] = Object.keys(ACTIONS);

/** An action of the audit in words. An unknown action is returned unchanged. */
export function actionText(action: string): string {
  return ACTIONS[action] ?? action;
}

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
  "key.create": "created a key",
  "key.revoke": "revoked a key",
  "account.flatten": "closed all positions",
  "account.open": "opened the account",
  "account.link": "linked the account",
  "account.provision": "provisioned the account",
  "account.promote": "moved the account to its next phase",
  "account.offerPro": "offered a pro account",
  "account.eliminate": "eliminated the account",
  "account.close": "closed the account",
  "payout.record": "recorded a payment",
  "journal.verify": "verified the journal",
};

/** An audit action as words. An unknown action is returned as it is. */
export function actionText(action: string): string {
  return ACTIONS[action] ?? action;
}

/** A table as a backup takes it. */
export interface BackupTable {
  readonly name: string;
  /** The primary key, by which it is read page by page. */
  readonly key: readonly string[];
  /**
   * `together`: of one moment, in one transaction with all others of the kind. Rows of the two
   * other kinds never change once they are there, so they can be read afterwards, while the service
   * works: `upToVersion` those with a `seq` that each account had come to at that moment,
   * `everything` all of them, also later ones.
   */
  readonly read: "together" | "upToVersion" | "everything";
}

/**
 * What nobody shall get back: a session that was ended since, a link that was used, an operator token
 * that was revoked. Whoever restores a backup signs in again, and makes new tokens. And the nodes,
 * which say themselves that they are there.
 */
export const NOT_BACKED_UP: readonly string[] = [
  "answered_questions",
  "known_browsers",
  "nodes",
  "operator_tokens",
  "sessions",
  "sign_in_failures",
  "sign_in_links",
];

/**
 * Every other table but the list of migrations, of which the header has the newest. More nonces than
 * there were at the moment of the backup do no harm: they are refused, and they were used. Points of
 * a chart may become fewer while they are read; the journal does not go by them.
 */
export const BACKUP_TABLES: readonly BackupTable[] = [
  { name: "settings", key: ["name"], read: "together" },
  { name: "programs", key: ["id", "version"], read: "together" },
  { name: "people", key: ["person_id"], read: "together" },
  { name: "passkeys", key: ["passkey_id"], read: "together" },
  { name: "audit", key: ["audit_id"], read: "together" },
  { name: "keys", key: ["key_id"], read: "together" },
  { name: "key_usage", key: ["key_id"], read: "together" },
  { name: "quotes", key: ["pair"], read: "together" },
  { name: "accounts", key: ["account_id"], read: "together" },
  { name: "payouts", key: ["account_id", "payout_id"], read: "together" },
  { name: "daily_returns", key: ["account_id", "day_start_ms"], read: "together" },
  // Not one that is newer than the journal it speaks of: a nonce without its receipt is ended instead.
  { name: "receipts", key: ["key_id", "nonce"], read: "together" },
  { name: "journal", key: ["account_id", "seq"], read: "upToVersion" },
  { name: "trades", key: ["account_id", "seq"], read: "upToVersion" },
  { name: "rejected_orders", key: ["account_id", "seq"], read: "upToVersion" },
  { name: "equity_points", key: ["account_id", "at_ms"], read: "everything" },
  { name: "nonces", key: ["key_id", "nonce"], read: "everything" },
];

/** How a backup reads a table. */
export interface BackupTable {
  readonly name: string;
  /** The primary key, by which it is read page by page. */
  readonly key: readonly string[];
  /**
   * `together` reads the tables of this kind in one transaction, at one moment. Rows of the other kinds
   * never change, so they are read afterwards, while the service works. `upToVersion` reads rows whose
   * `seq` each account had reached at that moment; `everything` reads all rows, including later ones.
   */
  readonly read: "together" | "upToVersion" | "everything";
  /** Columns that belong to the database that has the rows; a restored row has the column's default. */
  readonly leftOut?: readonly string[];
}

/**
 * Tables that a restore must not bring back, because their rows may have ended since: sessions, links and operator
 * tokens. After a restore, people sign in again and tokens are created again. Nodes register themselves and claim
 * leases. The index of orders is filled from the journal when orders are read. Attempts of webhooks are only a log.
 */
export const NOT_BACKED_UP: readonly string[] = [
  "answered_questions",
  "known_browsers",
  "known_networks",
  "leases",
  "nodes",
  "operator_tokens",
  "order_index",
  "order_lines",
  "sessions",
  "sign_in_failures",
  "sign_in_links",
  "webhook_attempts",
];

/**
 * Every other table except `schema_migrations`, whose newest number is in the header. Nonces that are
 * newer than the backup's moment are harmless: they were used and stay refused. A block that is split while it
 * is read may keep the hashes of its later half, where no check looks. Points of a chart may be
 * thinned while they are read; the journal does not depend on them. Records of linked accounts are added with the
 * lines that follow from them, and replaced by later ones; the next reading of the account finds the same ones.
 */
export const BACKUP_TABLES: readonly BackupTable[] = [
  { name: "settings", key: ["name"], read: "together" },
  { name: "programs", key: ["id", "version"], read: "together" },
  { name: "people", key: ["person_id"], read: "together" },
  { name: "owner_databases", key: ["owner_id"], read: "together" },
  { name: "owner_maxima", key: ["owner_id"], read: "together" },
  { name: "external_ids", key: ["external_id"], read: "together" },
  { name: "passkeys", key: ["passkey_id"], read: "together" },
  { name: "idempotency_keys", key: ["caller", "key", "row_number"], read: "together" },
  { name: "audit", key: ["audit_id"], read: "together" },
  { name: "keys", key: ["key_id"], read: "together" },
  { name: "evidence_keys", key: ["number"], read: "together" },
  { name: "key_usage", key: ["key_id"], read: "together" },
  { name: "quotes", key: ["pair"], read: "together" },
  { name: "price_choices", key: ["pair"], read: "together" },
  { name: "candle_days", key: ["pair", "day_ms"], read: "together" },
  { name: "candle_hours", key: ["pair", "hour_ms"], read: "together" },
  { name: "corporate_actions", key: ["action_id"], read: "together" },
  { name: "funding_rates", key: ["pair", "at_ms"], read: "together" },
  { name: "catalogues", key: ["hash"], read: "together" },
  { name: "accounts", key: ["account_id"], read: "together" },
  { name: "alerts", key: ["alert_id"], read: "together", leftOut: ["recorded"] },
  { name: "alert_heads", key: ["owner"], read: "together", leftOut: ["transaction_id"] },
  { name: "webhook_endpoints", key: ["endpoint_id"], read: "together" },
  { name: "webhook_lanes", key: ["endpoint_id", "account_id", "owner"], read: "together" },
  { name: "account_states", key: ["account_id"], read: "together" },
  { name: "linked_accounts", key: ["account_id"], read: "together" },
  { name: "upstream_orders", key: ["order_uuid"], read: "together" },
  { name: "payouts", key: ["account_id", "payout_id"], read: "together" },
  { name: "restored_payouts", key: ["account_id", "payout_id"], read: "together" },
  { name: "daily_returns", key: ["account_id", "day_start_ms"], read: "together" },
  // Never newer than the journal; a nonce without a receipt is later closed as rejected.
  { name: "receipts", key: ["key_id", "nonce"], read: "together" },
  {
    name: "journal",
    key: ["account_id", "seq"],
    read: "upToVersion",
    leftOut: ["transaction_id"],
  },
  { name: "trades", key: ["account_id", "seq"], read: "upToVersion" },
  { name: "rejected_orders", key: ["account_id", "seq"], read: "upToVersion" },
  { name: "linked_records", key: ["account_id", "kind", "id"], read: "upToVersion" },
  { name: "equity_points", key: ["account_id", "at_ms"], read: "everything" },
  { name: "nonces", key: ["key_id", "nonce"], read: "everything" },
  // After `nonces`: a nonce that is merged while the backup is read is then in one of the two, or in both.
  { name: "nonce_blocks", key: ["key_id", "first"], read: "everything" },
];

/** The columns of the table that a backup has. */
export function backupColumns<Column extends { readonly name: string }>(
  { leftOut = [] }: BackupTable,
  columns: readonly Column[],
): readonly Column[] {
  return columns.filter(({ name }) => !leftOut.includes(name));
}

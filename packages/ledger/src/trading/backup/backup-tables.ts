/** How a backup reads a table. */
export interface BackupTable {
  readonly name: string;
  /** The primary key, by which the table is read page by page. */
  readonly key: readonly string[];
  /**
   * `together` reads the tables of this kind in one transaction, at one moment. The other kinds are read afterwards,
   * page by page, while the service works; `BACKUP_TABLES` explains why that is safe. `upToVersion` keeps the rows
   * whose `seq` is at most the version that their account had at that moment. `everything` keeps all rows, including
   * later ones.
   */
  readonly read: "together" | "upToVersion" | "everything";
  /** Columns that have a meaning only in the database that wrote the row. In a restored row they get their default. */
  readonly leftOut?: readonly string[];
}

/**
 * Tables that a backup leaves out. Sessions, links and operator tokens may have ended since the backup, so a restore
 * must not make them valid again: people sign in again, and tokens are created again. Nodes register themselves and
 * claim leases. The index of orders is filled from the journal when orders are read. The other tables only protect
 * sign-ins, or are a log of the attempts of webhooks.
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
 * Every table except the tables above and `schema_migrations`, whose newest number is in the header. Tables
 * that are not read `together` may change while they are read, which is harmless. Rows of journal, trades and rejected
 * orders are only added. Nonces that are newer than the backup's moment were used and stay refused. A block of nonces
 * that is split meanwhile may still contain the hashes of its later half, but no check reads them there. Points of a
 * chart may be thinned, but the journal does not depend on them. Records of linked accounts are added with the lines
 * that follow from them, and replaced by later ones; the next reading of the account finds the same records.
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
  // Receipts are never newer than the journal. A nonce without a receipt is later closed as rejected.
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
  // This table is read after `nonces`, so a nonce that is merged meanwhile is in one of the two tables, or in both.
  { name: "nonce_blocks", key: ["key_id", "first"], read: "everything" },
];

/** The columns of the table that a backup contains. */
export function backupColumns<Column extends { readonly name: string }>(
  { leftOut = [] }: BackupTable,
  columns: readonly Column[],
): readonly Column[] {
  return columns.filter(({ name }) => !leftOut.includes(name));
}

import { readFileSync } from "node:fs";
import { codeBlock, markdownPage, type ReferencePage } from "./markdown.ts";

const SCHEMA = new URL("../../packages/ledger/src/storage/migrations/schema.sql", import.meta.url);

/** The purpose of each table; the page cannot be made without a purpose for every table. */
const PURPOSES: ReadonlyMap<string, string> = new Map([
  [
    "account_states",
    "The last snapshot of each embedded account: its state at `version` as JSON text. Written once in eight versions. The account's state is the snapshot with the journal lines after it, up to the version in `accounts`.",
  ],
  [
    "accounts",
    "One row per account: its network, its status, its version, the hash of its newest journal row, whether prices affect it (`exposed`), and when it is next due (`due_at_ms`). An account of a Vanta validator has no due time; its journal has what was read there.",
  ],
  [
    "alert_heads",
    "The number of each owner's newest alert, in the owner's database; the row with the empty owner counts the operator's own.",
  ],
  [
    "alerts",
    "Reports to owners and operators of what no journal has: keys, passkeys, sessions, webhooks. Written in the transaction of what it reports, then numbered in the owner's database.",
  ],
  [
    "answered_questions",
    "Passkey challenges that were answered, by their SHA-256, until they expire. Each challenge can be answered once.",
  ],
  [
    "audit",
    "The actions of people and operator tokens, one row each, hash-chained and numbered without gaps. Rows are only added, and none contains a secret.",
  ],
  [
    "candle_days",
    "One row per pair and UTC day with stored hours: its candle and those of its hours, packed. Joined from `candle_hours`, so that a chart of a year reads a row per day.",
  ],
  [
    "candle_hours",
    "One row per pair and hour with quotes: its candle and those of its minutes, packed, and the last quote that they count. Counted from the tape, and kept longer than it.",
  ],
  [
    "catalogues",
    "The instruments of decisions as JSON, by their hash, which the inputs in the journal name. Rows are only added.",
  ],
  [
    "corporate_actions",
    "Announced splits and dividends with their moment: announced, cancelled or carried out. The events of the journal name the action.",
  ],
  [
    "daily_returns",
    "The return of each full UTC day of an account, in percent. Derived from the journal, like trades and payouts.",
  ],
  [
    "equity_points",
    "The equity of accounts for the charts: one point a minute for two days, then one in ten minutes for two weeks, then one an hour. Written only when it changed; the ends of days come from the journal.",
  ],
  [
    "evidence_keys",
    "The keys with which the installation signs evidence, one after the other; the newest is in use. Its private half is sealed under the master key, and deleted when the next one takes over. Only in the first of several databases.",
  ],
  [
    "external_ids",
    "The ids of accounts in other systems of the firm. The first of several databases has all of them, each other one those of its accounts. Rows never change. An id may be claimed shortly before its account is opened.",
  ],
  [
    "funding_rates",
    "Hourly funding rates of pairs whose carry comes from the source, with the hour they are for and where they came from. An operator may replace a venue's rate before it is charged.",
  ],
  [
    "idempotency_keys",
    "The operator's writes with an `Idempotency-Key`: one row for each token or person, key and row of a bulk, for 30 days. `target` is the path with its query, `body_hash` the SHA-256 of the body's JSON. Answers with a secret are sealed under the master key for 24 hours.",
  ],
  [
    "journal",
    "One row per event, with the command that caused it, the key and nonce that signed the command, what the decision was made from (`inputs`, on its first row), and a hash over the row and the previous hash. Rows are only added. All other data of an account is derived from these rows. `transaction_id`, the transaction that wrote the row, orders the rows of all accounts; it is not in backups. Frequent phrases of `event` and `inputs` are short codes: `select journal_text(event)` shows the JSON.",
  ],
  [
    "key_usage",
    "The counts of the read budget and the failure guard, and when and from where a key was last used.",
  ],
  [
    "keys",
    "API keys. The secret is encrypted under the master key. Revoked and paused keys keep their rows.",
  ],
  [
    "known_browsers",
    "Browsers in which a person has signed in before, by the SHA-256 of a cookie. Failed attempts elsewhere do not block a person in them.",
  ],
  [
    "known_networks",
    "Networks in which a person has signed in, so that a session from a new one is an alert. Not in backups.",
  ],
  [
    "leases",
    "Work that belongs to one node at a time, such as the price feed: its owner, its epoch, and when the lease ends by the clock of the database. The epoch grows with every owner. Not in backups.",
  ],
  [
    "linked_accounts",
    "One row per account of a Vanta validator: its subaccount there, the newest readings as JSON in text, since when they are behind or failing, and the lease of the process that reads it.",
  ],
  [
    "linked_records",
    "What the validator sends once or in pages: closed positions and orders, checkpoints, daily returns and payouts. `body` is JSON as text. A later record of the same id replaces it.",
  ],
  [
    "nodes",
    "The nodes of this database, with their release, catalogue and last heartbeat. Not in backups.",
  ],
  [
    "nonce_blocks",
    "Older nonces of a key, as the first 16 bytes of their SHA-256, sorted, at most 64 in a row. A block contains the hashes from its `first` up to the next block's `first`. Only the function `merge_nonces` writes these rows, and hashes are only added.",
  ],
  [
    "nonces",
    "The nonces that a key has used in the last two days, and whether each was an order's. The insert is the check against replays. Rows are only added, and later merged into `nonce_blocks`. The nonce of an order without a receipt stays here.",
  ],
  [
    "operator_tokens",
    "Named tokens of the operator's interface, by the SHA-256 of each, with their expiry and last use. Rows are never removed, so a name in the audit always identifies one token. Not in backups.",
  ],
  [
    "order_index",
    "How far the journal of each account has been read for `order_lines`. Filled when orders are read; not in backups.",
  ],
  [
    "order_lines",
    "Which lines of the journal name an order, so that an order, the newest orders and the newest fills are found by key. Derived from the journal; not in backups.",
  ],
  [
    "owner_databases",
    "The number of the database that has an owner's accounts; only in the first of several databases. Rows never change. Owners from before there were several are missing: their accounts are in the first.",
  ],
  [
    "owner_maxima",
    "How many accounts an owner may have, where the operator has set it; only in the first of several databases.",
  ],
  ["passkeys", "The public keys of people's passkeys, with the number of their signatures."],
  [
    "payouts",
    "Closed cycles with an amount to pay, and the state of the payment. `payout` is JSON as text.",
  ],
  [
    "people",
    "The people who can sign in to the pages. `password` is an Argon2id hash with its parameters; null until the person has used a link.",
  ],
  [
    "price_choices",
    "The operator's newest choice for the prices of a pair: automatic, one source alone, or halted; who chose it, when and why.",
  ],
  [
    "programs",
    "Every version of every program that was offered, as JSON in text. Rows never change, because accounts were sold on them.",
  ],
  ["quotes", "The newest quote of each pair, so that a restarted service has prices immediately."],
  [
    "receipts",
    "The fate of each decided order, by the nonce that signed it: its answer, or the status and text of its rejection. Rows are only added; the first row of a nonce counts.",
  ],
  [
    "rejected_orders",
    "Pending orders that could not fill when their price was reached, each with the order and the reason. Derived from the journal.",
  ],
  [
    "restored_payouts",
    "The payouts that a restore left unpaid. Each shows that it was restored until it is recorded as paid.",
  ],
  ["schema_migrations", "The migrations that have run."],
  [
    "sessions",
    "Browsers in which a person is signed in, by the SHA-256 of the cookie's token. Not in backups, like links, failures and known browsers.",
  ],
  ["settings", "Small values that the service keeps between starts."],
  [
    "sign_in_failures",
    "Failed sign-ins by name, by name and network, and by address, all hashed, and until when each is blocked.",
  ],
  ["sign_in_links", "The one-time link of a person, by the SHA-256 of its token."],
  [
    "trades",
    "Closed positions, stored outside the account's state so that the state stays small. `trade` is JSON as text.",
  ],
  ["webhook_attempts", "The attempts of webhooks in the last 30 days. Not in backups."],
  [
    "webhook_endpoints",
    "Webhooks, in the first database. The address and the secrets are sealed under the master key.",
  ],
  [
    "webhook_lanes",
    "How far a webhook has got with the events of an account, or with the alerts of an owner, in the database that has them. The journal, or the table of alerts, is its queue: nothing is stored for what waits.",
  ],
  [
    "upstream_orders",
    "Orders that were sent to a Vanta validator, each committed before its first byte is sent. While an order is `sending`, its receipt stays pending.",
  ],
]);

/** The page of the tables, from `schema.sql`, which a test compares with a migrated database. */
export function databasePage(): ReferencePage {
  const [, ...tables] = readFileSync(SCHEMA, "utf8")
    .trim()
    .split(/\n\n(?=create table )/);
  const sections = tables.flatMap((statement) => {
    const name = /^create table (\w+)/.exec(statement)?.[1] ?? "";
    const purpose = PURPOSES.get(name);
    if (purpose === undefined) throw new Error(`tools/reference: the table ${name} has no purpose`);
    return [`## ${name}`, purpose, codeBlock("sql", statement)];
  });
  return {
    path: "docs/reference/database.md",
    content: markdownPage({
      title: "Database",
      source: "packages/ledger/src/storage/migrations",
      blocks: [
        "The embedded database and PostgreSQL have the same tables. Times are whole milliseconds since 1970. Keys of owned rows begin with `account_id` or `key_id`.",
        ...sections,
      ],
    }),
  };
}

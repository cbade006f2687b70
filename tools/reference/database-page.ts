import { readFileSync } from "node:fs";
import { codeBlock, markdownPage, type ReferencePage } from "./markdown.ts";

const SCHEMA = new URL("../../packages/server/src/storage/migrations/schema.sql", import.meta.url);

/** The purpose of each table; a table without a line here stops the generator. */
const PURPOSES: ReadonlyMap<string, string> = new Map([
  [
    "accounts",
    "One row per account: its state as computed from the journal, the hash of its last journal row, whether prices affect it (`exposed`) and when it is next due (`due_at_ms`).",
  ],
  [
    "answered_questions",
    "Passkey challenges that were answered, by their SHA-256, until they expire: each answer counts once.",
  ],
  [
    "audit",
    "The actions of people and operator tokens, one line each, numbered without a gap. Rows are only ever added; no line holds a secret.",
  ],
  [
    "daily_returns",
    "The return of each full UTC day of an account, in percent. Made from the journal, like trades and payouts.",
  ],
  [
    "equity_points",
    "The equity of accounts, for the charts: one point per minute for two days, then one per ten minutes for two weeks, then one per hour. Written when equity changed; the ends of days come from the journal.",
  ],
  [
    "journal",
    "The truth: one row per event, with the command that caused it, the key and nonce that signed that command, and a hash over itself and the row before. Rows are only ever added.",
  ],
  [
    "key_usage",
    "The counts of the read budget and the failure guard, and when and from where a key was last used.",
  ],
  [
    "keys",
    "API keys. The secret is sealed with the master key; a revoked or paused key keeps its row.",
  ],
  [
    "known_browsers",
    "Browsers in which a person has signed in before, by the SHA-256 of a cookie: a blocked name is not blocked for them.",
  ],
  [
    "nodes",
    "The processes that serve this database, with the release and the catalogue they run with, and when each was last heard of. In no backup.",
  ],
  [
    "nonces",
    "Every nonce that a key has ever used, and whether it was an order's. The insert is the check.",
  ],
  [
    "operator_tokens",
    "Named tokens of the operator's interface, by the SHA-256 of each, with when each ends and was last used. Rows are never removed, so a name in the audit means one token. In no backup.",
  ],
  [
    "passkeys",
    "Passkeys, which replace a password: their public keys, and how often each has signed.",
  ],
  [
    "payouts",
    "Closed cycles with a payout, and the status of each payment. `payout` is JSON as text.",
  ],
  [
    "people",
    "Who may sign in to the pages. `password` is the Argon2id hash with its parameters, null until a link was used.",
  ],
  [
    "programs",
    "Every version of every program that has been offered, as JSON in text. A row never changes, because accounts were sold on it.",
  ],
  ["quotes", "The newest quote of each pair, so a restart begins with the last market."],
  [
    "rejected_orders",
    "Pending orders that were triggered and could not fill, each with the order and the reason. Made from the journal.",
  ],
  [
    "receipts",
    "The outcome of each decided order, by the nonce that signed it: the text of its answer, or status and text of its rejection. Rows are only ever added, and the first row of a nonce counts.",
  ],
  ["schema_migrations", "The migrations that have run."],
  [
    "sessions",
    "Sessions of signed-in people. Only the SHA-256 of the cookie's token is stored. In no backup, like links, failures and known browsers.",
  ],
  ["settings", "The service's own values, by name."],
  [
    "sign_in_failures",
    "Failed sign-ins by name, by name and network, and by address, all hashed, and until when further attempts are refused.",
  ],
  [
    "sign_in_links",
    "The one-time link of a person that sets a password. Only the SHA-256 of its token is stored.",
  ],
  [
    "trades",
    "Closed positions, apart from the state so that the state stays small. `trade` is JSON as text.",
  ],
]);

/** The tables, from the description that a test compares with a migrated database. */
export function databasePage(): ReferencePage {
  const [, ...tables] = readFileSync(SCHEMA, "utf8")
    .trim()
    .split(/\n\n(?=create table )/);
  const sections = tables.flatMap((statement) => {
    const name = /^create table (\w+)/.exec(statement)?.[1] ?? "";
    const purpose = PURPOSES.get(name);
    if (purpose === undefined) throw new Error(`tools/reference: what is the table ${name} for?`);
    return [`## ${name}`, purpose, codeBlock("sql", statement)];
  });
  return {
    path: "docs/reference/database.md",
    content: markdownPage({
      title: "Database",
      source: "packages/server/src/storage/migrations",
      blocks: [
        "The same tables on the embedded database and on PostgreSQL. Times are whole milliseconds since 1970. Rows of an account or a key have `account_id` or `key_id` first in their primary key.",
        ...sections,
      ],
    }),
  };
}

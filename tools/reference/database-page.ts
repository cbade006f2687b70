import { readFileSync } from "node:fs";
import { codeBlock, markdownPage, type ReferencePage } from "./markdown.ts";

const SCHEMA = new URL("../../packages/server/src/storage/migrations/schema.sql", import.meta.url);

/** What each table is for; a table without a line here ends the making of the page. */
const PURPOSES: ReadonlyMap<string, string> = new Map([
  [
    "accounts",
    "One row an account: its state as the journal makes it, the hash of its last journal row, whether prices matter to it (`exposed`) and when time next does (`due_at_ms`).",
  ],
  [
    "answered_questions",
    "Questions that a passkey has answered, by their SHA-256, until they expire: each answer counts once.",
  ],
  [
    "audit",
    "What people and the operator's token did, a line a deed, numbered without a gap. Rows are only ever added; no line holds a secret.",
  ],
  [
    "daily_returns",
    "What each full UTC day of an account returned, in percent. Made from the journal, like trades and payouts.",
  ],
  [
    "equity_points",
    "What accounts were worth, for the charts: a point a minute for two days, then one in ten minutes for two weeks, then one an hour. Written where something changed; the ends of days are the journal's.",
  ],
  [
    "journal",
    "The truth: one row an event, with the command that caused it, the key and nonce that signed that command, and a hash over itself and the row before. Rows are only ever added.",
  ],
  [
    "key_usage",
    "What the read budget and the failure guard count, and when and from where a key was last used.",
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
    "Every nonce that a key has used, for ever, and whether it was an order's. Inserting is the check.",
  ],
  [
    "operator_tokens",
    "Named tokens of the operator's interface, by the SHA-256 of each, with when each ends and was last used. Rows are never removed, so a name in the audit means one token. In no backup.",
  ],
  [
    "passkeys",
    "What people sign in with instead of a password: the public halves, and how often each has signed.",
  ],
  [
    "payouts",
    "Closed cycles that pay something, with how far the payment is. `payout` is JSON as text.",
  ],
  [
    "people",
    "Who may sign in to the pages. `password` is what Argon2id made of it, with its parameters; null until a link was used.",
  ],
  [
    "programs",
    "Every version of every program that has been offered, as JSON in text. A row never changes: accounts have been sold on it.",
  ],
  ["quotes", "The newest quote of each pair, so that a restart knows the market it left."],
  [
    "rejected_orders",
    "Pending orders whose price came and that could not fill, each with the order as it was and why. Made from the journal.",
  ],
  [
    "receipts",
    "What became of each order that was decided, by the nonce that signed it: the text of its answer, or status and text of its rejection. Rows are only ever added, the first of a nonce counts.",
  ],
  ["schema_migrations", "The migrations that have run."],
  [
    "sessions",
    "Where somebody is signed in. Of the cookie's token only the SHA-256 is kept. In no backup, like links, failures and known browsers.",
  ],
  ["settings", "What the service remembers of itself."],
  [
    "sign_in_failures",
    "How often signing in has failed by name, by name and network, and by address, all hashed, and until when it may not be tried again.",
  ],
  [
    "sign_in_links",
    "The one link of a person that gives a password; of its token only the SHA-256 is kept.",
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
        "The same tables on the embedded database and on PostgreSQL. Times are whole milliseconds since 1970. What belongs to somebody has `account_id` or `key_id` first in its key.",
        ...sections,
      ],
    }),
  };
}

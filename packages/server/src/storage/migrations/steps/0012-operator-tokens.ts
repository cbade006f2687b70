import type { Migration } from "../migrate.ts";

/**
 * Why: a single token shared by all programs cannot be revoked for one of them, never expires, and leaves
 * an audit that does not name the program. Can older code still run: yes, it accepts only the root token.
 * Locks: none, the table is new.
 *
 * `token_hash` is the SHA-256 of the token, whose 256 random bits need no slow hash. Rows of expired and
 * revoked tokens stay, so a name in the audit always identifies one token.
 */
export const OPERATOR_TOKENS: Migration = {
  number: 12,
  name: "operator-tokens",
  sql: `
create table operator_tokens (
  name text collate "C" primary key,
  token_hash bytea not null unique,
  created_by text not null,
  created_at_ms bigint not null,
  expires_at_ms bigint not null,
  revoked_at_ms bigint,
  last_used_at_ms bigint,
  last_used_from text
);
`,
};

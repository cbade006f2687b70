import type { Migration } from "./migrate.ts";

/**
 * Why: one token for every program that operates the service cannot be taken from one of them, never
 * ends, and leaves an audit that does not say which program it was. Can older code still run: yes, it
 * accepts the root token alone. Locks: nothing, the table is new.
 *
 * `token_hash` is the SHA-256 of the token, whose 256 random bits need no slow hash. A row stays after
 * its token has ended, so a name in the audit always means one token.
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

import type { Migration } from "../migrate.ts";

/**
 * Why: some calls need a confirmation from the last five minutes; an operator can pause keys; passkey
 * challenges are sealed and stored only when answered; a browser that was used for a sign-in is
 * recognized. Can older code still run: yes, but it accepts paused keys and answers passkey calls with
 * 500; upgrade all nodes. Locks: `sessions` and `keys`, for a moment: no row is rewritten.
 *
 * `known_browsers` and `answered_questions` contain only SHA-256 hashes, no cookies and no challenges.
 */
export const CONFIRMATION: Migration = {
  number: 10,
  name: "confirmation",
  sql: `
alter table sessions add column confirmed_at_ms bigint;

alter table keys add column paused_at_ms bigint;

drop table passkey_challenges;

create table answered_questions (
  question_hash bytea primary key,
  expires_at_ms bigint not null
);
create index answered_questions_ended on answered_questions (expires_at_ms);

create table known_browsers (
  token_hash bytea primary key,
  person_id uuid not null,
  last_used_at_ms bigint not null
);
create index known_browsers_person on known_browsers (person_id, last_used_at_ms);
`,
};

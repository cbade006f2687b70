import type { Migration } from "./migrate.ts";

/**
 * Why: some calls need a confirmation of the last five minutes, an operator pauses keys, questions to
 * authenticators are sealed and stored only once they were answered, and a browser that has signed in
 * before is recognised. Can older code still run: yes, but its nodes accept paused keys and answer
 * passkeys with 500; exchange all nodes. Locks: `sessions` and `keys`, for a moment: no row is written.
 *
 * `known_browsers` and `answered_questions` hold SHA-256 only, no cookie and no question.
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

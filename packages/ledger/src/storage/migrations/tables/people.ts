/**
 * The people who sign in to the pages, the tokens of the operator's programs, and the audit of the changes that both
 * made.
 *
 * No token, cookie, challenge or password is stored. Of the first three the service stores only the SHA-256, because
 * their 256 random bits need no slow hash, and of a password its Argon2id hash. `name_key` is the name in the form for
 * comparisons. The service computes it, because databases differ in case folding. `subject` of a failure is a SHA-256
 * too, because people type passwords into the field of the name. Rows of `audit` are only added, and the hash of each
 * row covers the previous one. Rows of expired and revoked tokens stay, so a name in the audit always identifies one
 * token.
 *
 * `idempotency_keys` has the writes that clients of the operator's interface may repeat. A `running` write has an
 * attempt under way, or one that died. The next repetition of an `open` write continues it. `sealed_seed` is the seed
 * from which the write draws its ids and secrets. A kept answer with a secret is sealed.
 */
export const PEOPLE = `
create table people (
  person_id uuid primary key,
  name text not null,
  name_key text collate "C" not null unique,
  role text not null check (role in ('owner', 'operator')),
  owner_id text,
  password text,
  created_at_ms bigint not null,
  disabled_at_ms bigint,
  external_id text collate "C" unique
);

create table passkeys (
  passkey_id text collate "C" primary key,
  person_id uuid not null,
  label text not null,
  public_key bytea not null,
  counter bigint not null,
  transports text[] not null,
  created_at_ms bigint not null,
  last_used_at_ms bigint
);
create index passkeys_person on passkeys (person_id);

create table answered_questions (
  question_hash bytea primary key,
  expires_at_ms bigint not null
);
create index answered_questions_ended on answered_questions (expires_at_ms);

create table sign_in_links (
  person_id uuid primary key,
  token_hash bytea not null unique,
  expires_at_ms bigint not null
);

create table sign_in_failures (
  subject text collate "C" primary key,
  failures integer not null,
  last_at_ms bigint not null,
  blocked_until_ms bigint not null
) with (fillfactor = 50);
create index sign_in_failures_ended on sign_in_failures (last_at_ms);

create table sessions (
  session_id uuid primary key,
  token_hash bytea not null unique,
  person_id uuid not null,
  signed_in_at_ms bigint not null,
  last_seen_at_ms bigint not null,
  ends_at_ms bigint not null,
  address text not null,
  browser text not null,
  confirmed_at_ms bigint not null
) with (fillfactor = 70);
create index sessions_person on sessions (person_id);

create table known_browsers (
  token_hash bytea primary key,
  person_id uuid not null,
  last_used_at_ms bigint not null
);
create index known_browsers_person on known_browsers (person_id, last_used_at_ms);

create table known_networks (
  person_id uuid not null,
  network text collate "C" not null,
  last_seen_ms bigint not null,
  primary key (person_id, network)
);

create table operator_tokens (
  name text collate "C" primary key,
  token_hash bytea not null unique,
  key_space text collate "C" not null,
  created_by text not null,
  created_at_ms bigint not null,
  expires_at_ms bigint not null,
  revoked_at_ms bigint,
  last_used_at_ms bigint,
  last_used_from text
);

create table idempotency_keys (
  caller text collate "C" not null,
  key text collate "C" not null,
  row_number integer not null default 0,
  method text not null,
  target text not null,
  body_hash bytea not null,
  state text not null default 'running' check (state in ('running', 'open', 'ended')),
  attempt uuid not null,
  running_since timestamptz not null default clock_timestamp(),
  began_at_ms bigint not null,
  sealed_seed bytea,
  status smallint,
  answer text,
  sealed_answer bytea,
  made text,
  ended_at_ms bigint,
  primary key (caller, key, row_number),
  constraint idempotency_keys_check check (
    (state = 'ended') = (status is not null) and (state = 'ended') = (sealed_seed is null))
) with (fillfactor = 50);
create index idempotency_keys_began on idempotency_keys (began_at_ms);
create index idempotency_keys_sealed on idempotency_keys (ended_at_ms) where sealed_answer is not null;

create table audit (
  audit_id bigint primary key,
  at_ms bigint not null,
  person_id uuid,
  by_name text not null,
  role text not null,
  address text not null,
  deed text collate "C" not null,
  subject text,
  account_id text collate "C",
  detail text,
  succeeded boolean not null,
  hash bytea not null
);
create index audit_account on audit (account_id, audit_id) where account_id is not null;
create index audit_deed on audit (deed, audit_id);
`;

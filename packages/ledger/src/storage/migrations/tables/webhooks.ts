/**
 * Webhooks. The endpoints are in the first database, with the owner who made them, or null for the operator's. Lanes
 * and attempts are in the database of their account, or of the owner whose alerts they send.
 *
 * A lane records how far one endpoint has delivered one queue. One kind of queue is the journal of an account: an event
 * waits while the account's version is greater than `delivered_seq`. The other is the numbered alerts of `owner`, empty
 * for the operator's: `account_id` is the nil UUID, and an alert waits while `alert_heads` has a greater number.
 * `previous_seq` is the last event before the next one to send that the endpoint's types allow, and `begins_seq` the
 * first event that the lane may send. After a replay, `previous_seq` is not known until the next delivery looks it up.
 * An endpoint of a program has lanes for the accounts that have ever been on the program; each lane sends the lines
 * after which its account is on it. `revision` grows with every change of an endpoint, and when people move its lanes.
 * A change is written only when the stored revision is still the one that was read. After each change the node that
 * delivers checks all lanes.
 */
export const WEBHOOKS = `
create table webhook_endpoints (
  endpoint_id text collate "C" primary key,
  owner_id text,
  account_id uuid,
  program_id text,
  label text not null,
  types text[],
  payload text not null check (payload in ('event', 'sentence')),
  signatures text[] not null check (signatures in ('{v1}', '{v1,v1a}')),
  shown_address text not null,
  sealed_address bytea not null,
  sealed_secret bytea not null,
  old_secret bytea,
  old_until_ms bigint,
  state_reason text check (state_reason in ('gone', 'operator', 'owner')),
  state_since_ms bigint not null,
  created_at_ms bigint not null,
  revision bigint not null default 0,
  check (num_nulls(account_id, program_id) > 0)
);
create index webhook_endpoints_owner on webhook_endpoints (owner_id, account_id);

create table webhook_lanes (
  endpoint_id text collate "C" not null,
  account_id uuid not null,
  owner text collate "C" not null default '',
  begins_seq bigint not null,
  delivered_seq bigint not null,
  previous_seq bigint,
  previous_known boolean not null default true,
  attempts integer not null default 0,
  next_at_ms bigint not null default 0,
  last_status integer,
  parked_at_ms bigint,
  primary key (endpoint_id, account_id, owner)
) with (fillfactor = 70);
create index webhook_lanes_retried on webhook_lanes (next_at_ms) where attempts > 0 and parked_at_ms is null;
create index webhook_lanes_parked on webhook_lanes (endpoint_id, account_id, owner) where parked_at_ms is not null;

create table webhook_attempts (
  attempt_id bigint generated always as identity primary key,
  endpoint_id text collate "C" not null,
  account_id uuid,
  event_id text collate "C" not null,
  at_ms bigint not null,
  attempt integer not null,
  status integer,
  latency_ms integer not null,
  answer text,
  error text check (error in ('timeout', 'connect', 'reset', 'dns', 'tls', 'address'))
);
create index webhook_attempts_endpoint on webhook_attempts (endpoint_id, at_ms, attempt_id);
create index webhook_attempts_time on webhook_attempts (at_ms);
`;

/**
 * Records in the database which node wrote each version of an account, and which node had the account's lease at that
 * time.
 */
import type { Queryable } from "../../../packages/ledger/src/storage/databases/database.ts";

const TABLES = `
create table simulated_claims (
  name text primary key, epoch bigint not null, step bigint not null)`;

const WRITES = `
create table simulated_writes (
  write_id bigint generated always as identity primary key, account_id uuid not null,
  version bigint not null, lease text not null, writer text, sent_step bigint,
  owner text, epoch bigint, claim_step bigint)`;

const SETTING = (name: string): string => `nullif(current_setting('simulated.${name}', true), '')`;

/** A renewal and a release keep the epoch, so only a claim is recorded. */
const ON_CLAIM = `
create function simulated_claim() returns trigger language plpgsql as $$ begin
  insert into simulated_claims (name, epoch, step)
  values (new.name, new.epoch, coalesce(${SETTING("step")}::bigint, 0))
  on conflict (name) do update set epoch = excluded.epoch, step = excluded.step
  where simulated_claims.epoch <> excluded.epoch;
  return null;
end $$`;

const ON_WRITE = `
create function simulated_write() returns trigger language plpgsql as $$ begin
  insert into simulated_writes
    (account_id, version, lease, writer, sent_step, owner, epoch, claim_step)
  select new.account_id, new.version, wanted.lease, ${SETTING("writer")},
    ${SETTING("sent")}::bigint, l.owner::text, l.epoch, c.step
  from (select 'partition ' || partition_of(new.account_id) as lease) as wanted
    left join leases l on l.name = wanted.lease
    left join simulated_claims c on c.name = wanted.lease;
  return null;
end $$`;

const TRIGGERS = [
  `create trigger simulated_claim after insert or update of epoch on leases
   for each row execute function simulated_claim()`,
  `create trigger simulated_write after insert or update of version on accounts
   for each row execute function simulated_write()`,
];

/** Adds the tables and triggers to a database that has no leases yet. */
export async function installWriteRecords(database: Queryable): Promise<void> {
  for (const statement of [TABLES, WRITES, ON_CLAIM, ON_WRITE, ...TRIGGERS])
    await database.query(statement, []);
}

/**
 * The sender of a statement. `sentStep` is the number of statements that the database had carried out when the
 * statement was sent, and `step` the number when it runs.
 */
export interface StatementSender {
  /** The id of the sending process. */
  readonly writer: string;
  readonly sentStep: number;
  readonly step: number;
}

/** Sets the sender of the next statement for the triggers. */
export async function setStatementSender(
  database: Queryable,
  { writer, sentStep, step }: StatementSender,
): Promise<void> {
  await database.query(
    `select set_config('simulated.writer', $1, false), set_config('simulated.sent', $2, false),
       set_config('simulated.step', $3, false)`,
    [writer, String(sentStep), String(step)],
  );
}

import { type AccountId, accountId, type OwnerId, type UnixMs, unixMs } from "@propgate/core";
import type { Queryable } from "../../databases/database.ts";
import { PROGRAM_SET, programAfter, SETS_PROGRAM } from "../../journal/program-lines.ts";
import { alertsFrom } from "../alerts/new-alerts.ts";
import { externalIdOf } from "../external-id-store.ts";
import { ATTEMPT_COLUMNS, type Attempt, attemptValues } from "./attempt-store.ts";

/** One endpoint and one account: how far the endpoint has got with the account's events. */
export interface LaneId {
  readonly endpointId: string;
  readonly accountId: AccountId;
}

export interface Lane extends LaneId {
  /** The first event that the lane may send. */
  readonly beginsSequence: number;
  /** Everything up to this event was sent or is of another type. */
  readonly deliveredSequence: number;
  /** The previous event of the types that the endpoint gets; null when the lane has none, or it is not known. */
  readonly previousSequence: number | null;
  /** False after a replay, until the event before is looked up. */
  readonly isPreviousKnown: boolean;
  /** Attempts of the event in front. */
  readonly attempts: number;
  readonly nextAtMs: UnixMs;
  /** The status of the last answer; null when there is none. */
  readonly lastStatus: number | null;
  /** When it stopped after its last attempt; null while it goes on. */
  readonly parkedAtMs: UnixMs | null;
}

/** A lane with its account's owner and version. */
export interface AccountLane extends Lane {
  readonly ownerId: string;
  readonly externalId: string | null;
  readonly version: number;
}

/** Where a replay begins: at an event, or at the first one at that time or later. */
export type ReplayFrom = { readonly sequence: number } | { readonly atMs: UnixMs };

export interface MadeAttempt {
  readonly attempt: Attempt;
  /** Null for the operator's. */
  readonly endpointOwner: OwnerId | null;
}

export interface ParkedLanes {
  readonly count: number;
  /** When the first of them was parked. */
  readonly sinceMs: UnixMs;
}

/** The accounts of an endpoint. */
export interface LaneScope {
  /** Null for every account. */
  readonly accountId: AccountId | null;
  /** Null for every program. */
  readonly programId: string | null;
}

export interface LaneStore {
  /**
   * Makes the lanes of an endpoint's accounts: from their heads on, or from the first event. An account that has left
   * the program has one too, from its head on, so that it has its place when it comes back.
   */
  begin(endpointId: string, scope: LaneScope & { readonly fromStart: boolean }): Promise<void>;
  /**
   * Makes lanes for accounts that are new since then, for the endpoints that are not of one account: from the account's
   * first event on, or from the event that put it on the program.
   */
  extend(
    endpoints: readonly { readonly id: string; readonly programId: string | null }[],
    accounts: readonly AccountId[] | null,
  ): Promise<void>;
  /** At most `limit` lanes of each endpoint with an event to send now; all accounts, or some and all retries. */
  due(
    endpointIds: readonly string[],
    now: {
      readonly nowMs: UnixMs;
      readonly accounts: readonly AccountId[] | null;
      readonly limit: number;
    },
  ): Promise<readonly AccountLane[]>;
  /** The earliest time after `nowMs` at which a lane is tried again; null when there is none. */
  nextRetryMs(nowMs: UnixMs): Promise<UnixMs | null>;
  /**
   * Writes the lane unless it has changed since it was read; adds the attempt, and an alert for the endpoint's owner
   * when the lane is parked. False when it has.
   */
  advance(from: Lane, to: Lane, made: MadeAttempt | null): Promise<boolean>;
  lane(id: LaneId): Promise<AccountLane | null>;
  /** The parked lanes of these endpoints. */
  parked(endpointIds: readonly string[]): Promise<ReadonlyMap<string, ParkedLanes>>;
  /** Restarts the attempts of parked lanes from the first delay. */
  resume(endpointId: string, account: AccountId | null): Promise<void>;
  /**
   * Sets lanes back to an event, and resumes the parked ones. A lane that has not reached the event stays where it is.
   */
  replay(endpointId: string, account: AccountId | null, from: ReplayFrom): Promise<void>;
  /** Ends the lanes of an endpoint. */
  remove(endpointId: string): Promise<void>;
}

interface LaneRow {
  readonly endpoint_id: string;
  readonly account_id: string;
  readonly begins_seq: string;
  readonly delivered_seq: string;
  readonly previous_seq: string | null;
  readonly previous_known: boolean;
  readonly attempts: number;
  readonly next_at_ms: string;
  readonly last_status: number | null;
  readonly parked_at_ms: string | null;
}

interface ParkedRow {
  readonly endpoint_id: string;
  readonly lanes: string;
  readonly since_ms: string;
}

interface AccountLaneRow extends LaneRow {
  readonly owner_id: string;
  readonly external_id: string | null;
  readonly version: string;
}

const LANE = `l.endpoint_id, l.account_id, l.begins_seq, l.delivered_seq, l.previous_seq, l.previous_known, l.attempts,
  l.next_at_ms, l.last_status, l.parked_at_ms`;

const OF_ACCOUNT = `a.owner_id, ${externalIdOf("a.account_id")} as external_id, a.version`;

const NO_ATTEMPT: readonly null[] = [null, null, null, null, null, null, null];

const BEGIN = `
insert into webhook_lanes (endpoint_id, account_id, begins_seq, delivered_seq)
select $1, a.account_id, s.delivered + 1, s.delivered
from accounts a cross join lateral (
  select case when $3 and ($4::text is null or $4 = ${programAfter("a.account_id", "a.version")})
    then 0 else a.version end as delivered
) s
where a.network = 'embedded' and ($2::uuid is null or a.account_id = $2) and ($4::text is null or exists (
  select from journal j where j.account_id = a.account_id and ${SETS_PROGRAM} and ${PROGRAM_SET} = $4))
on conflict do nothing`;

const NO_LANE = `not exists (
    select from webhook_lanes l where l.endpoint_id = e.id and l.account_id = a.account_id)`;

const EXTEND = `
insert into webhook_lanes (endpoint_id, account_id, begins_seq, delivered_seq)
select e.id, a.account_id, 1, 0 from unnest($1::text[]) as e (id) cross join accounts a
where a.network = 'embedded' and ($2::uuid[] is null or a.account_id = any ($2))
  and ${NO_LANE}
on conflict do nothing`;

const EXTEND_PROGRAMS = `
insert into webhook_lanes (endpoint_id, account_id, begins_seq, delivered_seq)
select e.id, a.account_id, min(a.seq), min(a.seq) - 1
from unnest($1::text[], $3::text[]) as e (id, program) join journal a on ${SETS_PROGRAM} and ${PROGRAM_SET} = e.program
where ($2::uuid[] is null or a.account_id = any ($2)) and ${NO_LANE}
group by e.id, a.account_id
on conflict do nothing`;

const WAITS = `l.endpoint_id = e.id and l.parked_at_ms is null and l.next_at_ms <= $2
    and a.version > l.delivered_seq`;

const DUE_OF_ALL = `
select l.* from unnest($1::text[]) as e (id) cross join lateral (
  select ${LANE}, ${OF_ACCOUNT} from webhook_lanes l join accounts a using (account_id)
  where ${WAITS} order by l.next_at_ms, l.account_id limit $3
) l`;

/** Two parts, because each has an index of its own. */
const DUE_OF_SOME = `
select l.* from unnest($1::text[]) as e (id) cross join lateral (
  (select ${LANE}, ${OF_ACCOUNT} from webhook_lanes l join accounts a using (account_id)
  where ${WAITS} and l.account_id = any ($4) limit $3)
  union
  (select ${LANE}, ${OF_ACCOUNT} from webhook_lanes l join accounts a using (account_id)
  where ${WAITS} and l.attempts > 0 limit $3)
) l`;

const ADVANCE = `
with moved as (
  update webhook_lanes set begins_seq = $5, delivered_seq = $6, previous_seq = $7, previous_known = $19,
    attempts = $8, next_at_ms = $9, last_status = $10, parked_at_ms = $11
  where endpoint_id = $1 and account_id = $2 and delivered_seq = $3 and attempts = $4 and parked_at_ms is null
  returning account_id
), added as (
  insert into webhook_attempts (${ATTEMPT_COLUMNS})
  select $1, $2, $12, $13, $14, $15, $16, $17, $18 from moved where $12::text is not null
), alerted as (${alertsFrom(
  "webhook.parked",
  `select concat_ws(' ', $1::text, account_id, $6::bigint, $11::bigint) as cause, $20::text as owner_id, account_id,
      $11::bigint as at_ms, json_build_object(
        'webhookId', $1::text, 'accountId', account_id, 'reason', 'ladder') as data
    from moved where $11::bigint is not null`,
)})
select account_id from moved`;

const REPLAY = `
with wanted as materialized (
  select l.account_id, coalesce($3::bigint, (
    select seq from journal j where j.account_id = l.account_id and j.at_ms >= $4::bigint order by seq limit 1
  ), l.delivered_seq + 1) as seq
  from webhook_lanes l where l.endpoint_id = $1 and ($2::uuid is null or l.account_id = $2)
)
update webhook_lanes l set
  begins_seq = least(l.begins_seq, w.seq),
  delivered_seq = least(l.delivered_seq, w.seq - 1),
  previous_seq = case when w.seq > l.delivered_seq then l.previous_seq end,
  previous_known = case when w.seq > l.delivered_seq then l.previous_known else w.seq <= l.begins_seq end,
  attempts = 0, next_at_ms = 0, parked_at_ms = null
from wanted w where l.endpoint_id = $1 and l.account_id = w.account_id`;

/** Lanes and attempts of the accounts of one database. */
export function createLaneStore(database: Queryable): LaneStore {
  return {
    async begin(endpointId, { accountId: account, programId, fromStart }) {
      await database.query(BEGIN, [endpointId, account, fromStart, programId]);
    },
    async extend(endpoints, accounts) {
      const ofAll = endpoints.filter(({ programId }) => programId === null);
      if (ofAll.length > 0) await database.query(EXTEND, [ofAll.map(({ id }) => id), accounts]);
      const ofProgram = endpoints.filter(({ programId }) => programId !== null);
      if (ofProgram.length === 0) return;
      await database.query(EXTEND_PROGRAMS, [
        ofProgram.map(({ id }) => id),
        accounts,
        ofProgram.map(({ programId }) => programId),
      ]);
    },
    async due(endpointIds, { nowMs, accounts, limit }) {
      const common = [endpointIds, nowMs, limit];
      const rows = await (accounts === null
        ? database.query<AccountLaneRow>(DUE_OF_ALL, common)
        : database.query<AccountLaneRow>(DUE_OF_SOME, [...common, accounts]));
      return rows.map(accountLane);
    },
    async nextRetryMs(nowMs) {
      const [row] = await database.query<{ readonly next: string | null }>(
        `select min(next_at_ms) as next from webhook_lanes
         where attempts > 0 and parked_at_ms is null and next_at_ms > $1`,
        [nowMs],
      );
      return row?.next == null ? null : unixMs(Number(row.next));
    },
    async advance(from, to, made) {
      const rows = await database.query(ADVANCE, [
        from.endpointId,
        from.accountId,
        from.deliveredSequence,
        from.attempts,
        to.beginsSequence,
        to.deliveredSequence,
        to.previousSequence,
        to.attempts,
        to.nextAtMs,
        to.lastStatus,
        to.parkedAtMs,
        ...(made === null ? NO_ATTEMPT : attemptValues(made.attempt)),
        to.isPreviousKnown,
        made?.endpointOwner ?? null,
      ]);
      return rows.length > 0;
    },
    async lane({ endpointId, accountId: account }) {
      const [row] = await database.query<AccountLaneRow>(
        `select ${LANE}, ${OF_ACCOUNT} from webhook_lanes l join accounts a using (account_id)
         where l.endpoint_id = $1 and l.account_id = $2`,
        [endpointId, account],
      );
      return row === undefined ? null : accountLane(row);
    },
    async parked(endpointIds) {
      const rows = await database.query<ParkedRow>(
        `select endpoint_id, count(*) as lanes, min(parked_at_ms) as since_ms from webhook_lanes
         where parked_at_ms is not null and endpoint_id = any ($1) group by endpoint_id`,
        [endpointIds],
      );
      return new Map(
        rows.map((row) => [
          row.endpoint_id,
          { count: Number(row.lanes), sinceMs: unixMs(Number(row.since_ms)) },
        ]),
      );
    },
    async resume(endpointId, account) {
      await database.query(
        `update webhook_lanes set attempts = 0, next_at_ms = 0, parked_at_ms = null
         where endpoint_id = $1 and ($2::uuid is null or account_id = $2) and parked_at_ms is not null`,
        [endpointId, account],
      );
    },
    async replay(endpointId, account, from) {
      const [sequence, atMs] = "atMs" in from ? [null, from.atMs] : [from.sequence, null];
      await database.query(REPLAY, [endpointId, account, sequence, atMs]);
    },
    async remove(endpointId) {
      await database.query("delete from webhook_lanes where endpoint_id = $1", [endpointId]);
    },
  };
}

function accountLane(row: AccountLaneRow): AccountLane {
  return {
    ownerId: row.owner_id,
    externalId: row.external_id,
    version: Number(row.version),
    endpointId: row.endpoint_id,
    accountId: accountId(row.account_id),
    beginsSequence: Number(row.begins_seq),
    deliveredSequence: Number(row.delivered_seq),
    previousSequence: row.previous_seq === null ? null : Number(row.previous_seq),
    isPreviousKnown: row.previous_known,
    attempts: row.attempts,
    nextAtMs: unixMs(Number(row.next_at_ms)),
    lastStatus: row.last_status,
    parkedAtMs: row.parked_at_ms === null ? null : unixMs(Number(row.parked_at_ms)),
  };
}

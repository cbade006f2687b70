import {
  type AccountId,
  accountId,
  type OwnerId,
  ownerId,
  type UnixMs,
  unixMs,
} from "@propgate/core";
import {
  alertsFrom,
  externalIdSql,
  PROGRAM_ID_SQL,
  programAfterLineSql,
  type Queryable,
  SETS_PROGRAM_SQL,
} from "@propgate/ledger";
import { ATTEMPT_COLUMNS, type Attempt, attemptValues } from "./attempt-store.ts";

/** The queue of a lane: the events of an account, or the alerts of an owner. A null owner is the operator. */
export type LaneQueue =
  | { readonly accountId: AccountId }
  | { readonly accountId: null; readonly ownerId: OwnerId | null };

/** Whether a queue has the events of an account or the alerts of an owner. */
export type QueueKind = "events" | "alerts";

/** The progress of an endpoint in one queue. Sequences are the numbers of events, or of alerts in a lane of alerts. */
interface LaneProgress {
  readonly endpointId: string;
  /** The number of the first event that the lane may send. */
  readonly beginsSequence: number;
  /** Up to this number each event was accepted by the receiver, or is one that the endpoint does not get. */
  readonly deliveredSequence: number;
  /**
   * The number of the event before the next one to send, among those that the endpoint gets. Null when there is none,
   * and when it is not known.
   */
  readonly previousSequence: number | null;
  /** False after a replay that begins within the lane, until the previous event is looked up. */
  readonly isPreviousKnown: boolean;
  /** How many attempts of the next event have failed. */
  readonly attempts: number;
  /** The earliest time of the next attempt. */
  readonly nextAtMs: UnixMs;
  /** The status of the answer to the last attempt; null when that attempt got no answer, or no attempt was made. */
  readonly lastStatus: number | null;
  /** When the lane stopped after the last attempt of its retry schedule; null while it continues. */
  readonly parkedAtMs: UnixMs | null;
  /** The newest number in the queue. */
  readonly version: number;
}

/** A lane of an account's events, with the owner of the account. */
export interface AccountLane extends LaneProgress {
  readonly accountId: AccountId;
  readonly ownerId: string;
  readonly externalId: string | null;
}

/** A lane of an owner's alerts. */
export interface AlertLane extends LaneProgress {
  readonly accountId: null;
  /** The owner of the alerts; null for the alerts of the operator. */
  readonly ownerId: OwnerId | null;
}

export type Lane = AccountLane | AlertLane;

/** Where a replay begins: at the event or alert with a number, or at the first one of a time or later. */
export type ReplayFrom = { readonly sequence: number } | { readonly atMs: UnixMs };

/** A finished attempt, with the owner of the endpoint, who gets an alert when the lane is parked. */
export interface FinishedAttempt {
  readonly attempt: Attempt;
  /** The number of the event or alert that was sent. */
  readonly sequence: number;
  /** The hash of the event's line; null for an alert. */
  readonly hash: Uint8Array | null;
  /** The owner of the endpoint; null for an endpoint of the operator. */
  readonly endpointOwner: OwnerId | null;
}

/** The parked lanes of one endpoint. */
export interface ParkedLanes {
  readonly count: number;
  /** When the first of the parked lanes was parked. */
  readonly sinceMs: UnixMs;
}

/** Selects the accounts for whose events an endpoint has lanes. */
export interface LaneScope {
  /** The only account to select; null for every account. */
  readonly accountId: AccountId | null;
  /** Selects only accounts that are or were on this program; null for every program. */
  readonly programId: string | null;
}

/** An endpoint that gets alerts. */
export interface AlertEndpoint {
  readonly id: string;
  /** The owner whose alerts it gets; null for the alerts of all owners and of the operator. */
  readonly ownerId: OwnerId | null;
  /** The account whose alerts it gets; null for every account. */
  readonly accountId: AccountId | null;
}

/** The lanes of one database, and the attempts to deliver their events and alerts. */
export interface LaneStore {
  /**
   * Makes the lanes of an endpoint's accounts. Each begins after the account's newest event, or at its first event with
   * `fromStart`. An account that was on the endpoint's program and has left it also gets a lane, after its newest
   * event, so that the lane exists when the account returns to the program.
   */
  createLanes(
    endpointId: string,
    scope: LaneScope & { readonly fromStart: boolean },
  ): Promise<void>;
  /**
   * Makes the missing lanes of endpoints that get the events of all accounts or of a program. `accounts` are the
   * accounts whose lanes are made; null for all. A lane begins at the account's first event, or at the first event that
   * put the account on the program.
   */
  createMissingLanes(
    endpoints: readonly { readonly id: string; readonly programId: string | null }[],
    accounts: readonly AccountId[] | null,
  ): Promise<void>;
  /**
   * Makes the lanes of the alerts that an endpoint gets, and resets those that exist. Each begins after the owner's
   * newest alert, or at the first with `fromStart`.
   */
  createAlertLanes(endpoint: AlertEndpoint, fromStart: boolean): Promise<void>;
  /**
   * Makes the missing lanes of owners who have alerts. A lane begins at the owner's first alert. `owners` are the
   * owners whose lanes are made; null for all.
   */
  createMissingAlertLanes(
    endpoints: readonly AlertEndpoint[],
    owners: readonly (OwnerId | null)[] | null,
  ): Promise<void>;
  /**
   * The lanes of each endpoint that have something to send at `nowMs`. With null these are lanes of all queues, else
   * lanes of the chosen queues and all lanes with a due retry. At most `limit` for each endpoint; with chosen queues at
   * most `limit` of accounts, of alerts and of retries each.
   */
  findDue(
    endpointIds: readonly string[],
    now: {
      readonly nowMs: UnixMs;
      readonly queues: readonly LaneQueue[] | null;
      readonly limit: number;
    },
  ): Promise<readonly Lane[]>;
  /** The earliest time after `nowMs` at which a lane is tried again; null when no lane waits for a later retry. */
  nextRetryMs(nowMs: UnixMs): Promise<UnixMs | null>;
  /**
   * Writes the new progress of a lane. Adds the attempt that was made, and an alert for the endpoint's owner when the
   * lane is parked. False, without writing, when the lane has changed since it was read or is gone, and when its queue
   * no longer has what was sent. The reason is a failover that loses lines during an attempt: new lines then get the
   * same numbers, and must still be sent.
   */
  advance(from: Lane, to: Lane, made: FinishedAttempt | null): Promise<boolean>;
  /** The lane of an account's events at an endpoint; null when there is none. */
  findByAccount(endpointId: string, account: AccountId): Promise<AccountLane | null>;
  /** The lane of an owner's alerts at an endpoint; null when there is none. */
  findByAlertOwner(endpointId: string, owner: OwnerId | null): Promise<AlertLane | null>;
  /** The parked lanes of these endpoints, by endpoint id. Endpoints without parked lanes have no entry. */
  countParked(endpointIds: readonly string[]): Promise<ReadonlyMap<string, ParkedLanes>>;
  /**
   * Resumes the parked lanes of one queue, or of all with null: an attempt is due immediately, and the retry schedule
   * starts again.
   */
  resume(endpointId: string, queue: LaneQueue | null): Promise<void>;
  /**
   * Restarts the retry schedule of each lane that waits for a retry, with an immediate attempt. Parked lanes stay
   * parked.
   */
  restart(endpointId: string): Promise<void>;
  /**
   * Sets the lane of one queue, or all lanes with null, back to an event or alert, and restarts the attempts of the
   * lane. A lane that has not reached that event or alert keeps its progress.
   */
  replay(endpointId: string, queue: LaneQueue | null, from: ReplayFrom): Promise<void>;
  /** Deletes the lanes of an endpoint: those of one kind of queue, or all with null. */
  remove(endpointId: string, kind: QueueKind | null): Promise<void>;
}

interface LaneRow {
  readonly endpoint_id: string;
  /** The account of a lane of events; null in a lane of alerts. */
  readonly account_id: string | null;
  readonly owner_id: string | null;
  readonly external_id: string | null;
  readonly version: string;
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

/** The account id in the rows of alert lanes, because a column of the primary key cannot be null. */
export const NO_ACCOUNT = "'00000000-0000-0000-0000-000000000000'::uuid";

/** SQL for the newest number in the queue of a lane `l`; needs the joins of `WITH_QUEUE`. */
export const QUEUE_VERSION = "coalesce(a.version, h.number)";
/** SQL that joins a lane `l` with its queue: an account `a`, or the head `h` of an owner's alerts. */
export const WITH_QUEUE = `webhook_lanes l left join accounts a on a.account_id = l.account_id
    left join alert_heads h on h.owner = l.owner and l.account_id = ${NO_ACCOUNT}`;

const LANE = `l.endpoint_id, nullif(l.account_id, ${NO_ACCOUNT}) as account_id,
  coalesce(a.owner_id, nullif(l.owner, '')) as owner_id, ${externalIdSql("a.account_id")} as external_id,
  ${QUEUE_VERSION} as version, l.begins_seq, l.delivered_seq, l.previous_seq, l.previous_known, l.attempts,
  l.next_at_ms, l.last_status, l.parked_at_ms`;

const NO_ATTEMPT: readonly null[] = [null, null, null, null, null, null, null];

const BEGIN = `
insert into webhook_lanes (endpoint_id, account_id, begins_seq, delivered_seq)
select $1, a.account_id, s.delivered + 1, s.delivered
from accounts a cross join lateral (
  select case when $3 and ($4::text is null or $4 = ${programAfterLineSql("a.account_id", "a.version")})
    then 0 else a.version end as delivered
) s
where ($2::uuid is null or a.account_id = $2) and ($4::text is null or exists (
  select from journal j where j.account_id = a.account_id and ${SETS_PROGRAM_SQL} and ${PROGRAM_ID_SQL} = $4))
on conflict do nothing`;

const NO_LANE = `not exists (
    select from webhook_lanes l where l.endpoint_id = e.id and l.account_id = a.account_id)`;

const EXTEND = `
insert into webhook_lanes (endpoint_id, account_id, begins_seq, delivered_seq)
select e.id, a.account_id, 1, 0 from unnest($1::text[]) as e (id) cross join accounts a
where ($2::uuid[] is null or a.account_id = any ($2))
  and ${NO_LANE}
on conflict do nothing`;

const EXTEND_PROGRAMS = `
insert into webhook_lanes (endpoint_id, account_id, begins_seq, delivered_seq)
select e.id, a.account_id, min(a.seq), min(a.seq) - 1
from unnest($1::text[], $3::text[]) as e (id, program) join journal a on ${SETS_PROGRAM_SQL} and ${PROGRAM_ID_SQL} = e.program
where ($2::uuid[] is null or a.account_id = any ($2)) and ${NO_LANE}
group by e.id, a.account_id
on conflict do nothing`;

const ALERT_HEADS = `unnest($1::text[], $2::text[], $3::uuid[]) as e (id, owner, account)
join alert_heads h on (e.owner is null or h.owner = e.owner) and (e.account is null or h.owner = '' or exists (
  select from accounts a where a.account_id = e.account and a.owner_id = h.owner))`;

const INSERT_ALERTS =
  "insert into webhook_lanes (endpoint_id, account_id, owner, begins_seq, delivered_seq)";

const BEGIN_ALERTS = `
${INSERT_ALERTS}
select e.id, ${NO_ACCOUNT}, h.owner, s.delivered + 1, s.delivered
from ${ALERT_HEADS} cross join lateral (select case when $4 then 0 else h.number end as delivered) s
on conflict (endpoint_id, account_id, owner) do update set begins_seq = excluded.begins_seq,
  delivered_seq = excluded.delivered_seq`;

const EXTEND_ALERTS = `
${INSERT_ALERTS}
select e.id, ${NO_ACCOUNT}, h.owner, 1, 0 from ${ALERT_HEADS}
where ($4::text[] is null or h.owner = any ($4)) and not exists (
  select from webhook_lanes l where l.endpoint_id = e.id and l.account_id = ${NO_ACCOUNT} and l.owner = h.owner)
on conflict do nothing`;

const WAITS = `l.endpoint_id = e.id and l.parked_at_ms is null and l.next_at_ms <= $2
    and ${QUEUE_VERSION} > l.delivered_seq`;

const DUE_OF_ALL = `
select l.* from unnest($1::text[]) as e (id) cross join lateral (
  select ${LANE} from ${WITH_QUEUE}
  where ${WAITS} order by l.next_at_ms, l.account_id, l.owner limit $3
) l`;

/** The query has three parts, for accounts, alerts and retries, because each part uses another index. */
const DUE_OF_SOME = `
select l.* from unnest($1::text[]) as e (id) cross join lateral (
  (select ${LANE} from ${WITH_QUEUE} where ${WAITS} and l.account_id = any ($4) limit $3)
  union
  (select ${LANE} from ${WITH_QUEUE} where ${WAITS} and l.account_id = ${NO_ACCOUNT} and l.owner = any ($5) limit $3)
  union
  (select ${LANE} from ${WITH_QUEUE} where ${WAITS} and l.attempts > 0 limit $3)
) l`;

const ADVANCE = `
with moved as (
  update webhook_lanes set begins_seq = $5, delivered_seq = $6, previous_seq = $7, previous_known = $19,
    attempts = $8, next_at_ms = $9, last_status = $10, parked_at_ms = $11
  where endpoint_id = $1 and account_id = coalesce($2::uuid, ${NO_ACCOUNT}) and owner = $21
    and delivered_seq = $3 and attempts = $4 and parked_at_ms is null
    and $6 <= coalesce((select a.version from accounts a where a.account_id = webhook_lanes.account_id),
      (select h.number from alert_heads h where h.owner = webhook_lanes.owner))
    and ($23::bytea is null or exists (
      select from journal j where j.account_id = webhook_lanes.account_id and j.seq = $22::bigint and j.hash = $23))
  returning nullif(account_id, ${NO_ACCOUNT}) as account_id, owner
), added as (
  insert into webhook_attempts (${ATTEMPT_COLUMNS})
  select $1, account_id, $12, $13, $14, $15, $16, $17, $18 from moved where $12::text is not null
), alerted as (${alertsFrom(
  "webhook.parked",
  `select concat_ws(' ', $1::text, account_id, owner, $6::bigint, $11::bigint) as cause, $20::text as owner_id,
      account_id, $11::bigint as at_ms, json_build_object(
        'webhookId', $1::text, 'accountId', account_id, 'reason', 'ladder') as data
    from moved where $11::bigint is not null`,
)})
select owner from moved`;

/** True for a lane `l` of the queue in the parameters 2 and 3, and for every lane when both are null. */
const IS_CHOSEN = `($2::uuid is null and $3::text is null
    or l.account_id = coalesce($2, ${NO_ACCOUNT}) and l.owner = coalesce($3, ''))`;

const RESUME = `
update webhook_lanes l set attempts = 0, next_at_ms = 0, parked_at_ms = null
where l.endpoint_id = $1 and ${IS_CHOSEN} and l.parked_at_ms is not null`;

const REPLAY = `
with wanted as materialized (
  select l.account_id, l.owner, coalesce($4::bigint, case when l.account_id = ${NO_ACCOUNT} then (
    select number from alerts n where coalesce(n.owner_id, '') = l.owner and n.number is not null and n.at_ms >= $5::bigint
    order by number limit 1
  ) else (
    select seq from journal j where j.account_id = l.account_id and j.at_ms >= $5::bigint order by seq limit 1
  ) end, l.delivered_seq + 1) as seq
  from webhook_lanes l where l.endpoint_id = $1 and ${IS_CHOSEN}
)
update webhook_lanes l set
  begins_seq = least(l.begins_seq, w.seq),
  delivered_seq = least(l.delivered_seq, w.seq - 1),
  previous_seq = case when w.seq > l.delivered_seq then l.previous_seq end,
  previous_known = case when w.seq > l.delivered_seq then l.previous_known else w.seq <= l.begins_seq end,
  attempts = 0, next_at_ms = 0, parked_at_ms = null
from wanted w where l.endpoint_id = $1 and l.account_id = w.account_id and l.owner = w.owner`;

const OF_QUEUE = `
select ${LANE} from ${WITH_QUEUE} where l.endpoint_id = $1 and l.account_id = coalesce($2::uuid, ${NO_ACCOUNT}) and l.owner = $3`;

/** Reads and writes the lanes and attempts that one database has. */
export function createLaneStore(database: Queryable): LaneStore {
  return {
    async createLanes(endpointId, { accountId: account, programId, fromStart }) {
      await database.query(BEGIN, [endpointId, account, fromStart, programId]);
    },
    async createMissingLanes(endpoints, accounts) {
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
    async createAlertLanes(endpoint, fromStart) {
      await database.query(BEGIN_ALERTS, [...alertParameters([endpoint]), fromStart]);
    },
    async createMissingAlertLanes(endpoints, owners) {
      const of = owners?.map(ownerKey) ?? null;
      await database.query(EXTEND_ALERTS, [...alertParameters(endpoints), of]);
    },
    async findDue(endpointIds, { nowMs, queues, limit }) {
      const common = [endpointIds, nowMs, limit];
      const rows = await (queues === null
        ? database.query<LaneRow>(DUE_OF_ALL, common)
        : database.query<LaneRow>(DUE_OF_SOME, [...common, ...splitQueues(queues)]));
      return rows.map(laneOf);
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
        from.accountId === null ? ownerKey(from.ownerId) : "",
        made?.sequence ?? null,
        made?.hash ?? null,
      ]);
      return rows.length > 0;
    },
    async findByAccount(endpointId, account) {
      const [row] = await database.query<LaneRow>(OF_QUEUE, [endpointId, account, ""]);
      return row === undefined ? null : accountLane(row, account);
    },
    async findByAlertOwner(endpointId, owner) {
      const [row] = await database.query<LaneRow>(OF_QUEUE, [endpointId, null, ownerKey(owner)]);
      return row === undefined ? null : alertLane(row);
    },
    async countParked(endpointIds) {
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
    async resume(endpointId, queue) {
      await database.query(RESUME, [endpointId, ...queueParameters(queue)]);
    },
    async restart(endpointId) {
      await database.query(
        `update webhook_lanes set attempts = 0, next_at_ms = 0
         where endpoint_id = $1 and attempts > 0 and parked_at_ms is null`,
        [endpointId],
      );
    },
    async replay(endpointId, queue, from) {
      const [sequence, atMs] = "atMs" in from ? [null, from.atMs] : [from.sequence, null];
      await database.query(REPLAY, [endpointId, ...queueParameters(queue), sequence, atMs]);
    },
    async remove(endpointId, kind) {
      const ofAlerts = kind === null ? null : kind === "alerts";
      await database.query(
        `delete from webhook_lanes
         where endpoint_id = $1 and ($2::boolean is null or $2 = (account_id = ${NO_ACCOUNT}))`,
        [endpointId, ofAlerts],
      );
    },
  };
}

/** The key of an owner in the tables of lanes and alert heads: empty for the operator. */
function ownerKey(owner: OwnerId | null): string {
  return owner ?? "";
}

/** The parameters of `IS_CHOSEN`. */
function queueParameters(queue: LaneQueue | null): readonly [AccountId | null, string | null] {
  if (queue === null) return [null, null];
  return queue.accountId === null ? [null, ownerKey(queue.ownerId)] : [queue.accountId, null];
}

function alertParameters(endpoints: readonly AlertEndpoint[]): readonly unknown[] {
  return [
    endpoints.map(({ id }) => id),
    endpoints.map((one) => one.ownerId),
    endpoints.map((one) => one.accountId),
  ];
}

/** The account ids of the event queues, and the owner keys of the alert queues. */
function splitQueues(
  queues: readonly LaneQueue[],
): readonly [readonly AccountId[], readonly string[]] {
  return [
    queues.flatMap((one) => (one.accountId === null ? [] : [one.accountId])),
    queues.flatMap((one) => (one.accountId === null ? [ownerKey(one.ownerId)] : [])),
  ];
}

function laneOf(row: LaneRow): Lane {
  return row.account_id === null ? alertLane(row) : accountLane(row, accountId(row.account_id));
}

function accountLane(row: LaneRow, account: AccountId): AccountLane {
  if (row.owner_id === null) throw new Error("broken invariant: an account without an owner");
  const of = { accountId: account, ownerId: row.owner_id, externalId: row.external_id };
  return { ...progressOf(row), ...of };
}

function alertLane(row: LaneRow): AlertLane {
  const owner = row.owner_id === null ? null : ownerId(row.owner_id);
  return { ...progressOf(row), accountId: null, ownerId: owner };
}

function progressOf(row: LaneRow): LaneProgress {
  return {
    version: Number(row.version),
    endpointId: row.endpoint_id,
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

import type { DeliveryError } from "@propgate/contract";
import { type AccountId, accountId, type UnixMs, unixMs } from "@propgate/core";
import type { Queryable } from "../../databases/database.ts";

/** The end of an attempt, as the operator sees it. */
export interface Attempt {
  readonly endpointId: string;
  /** Null for a test. */
  readonly accountId: AccountId | null;
  readonly eventId: string;
  readonly atMs: UnixMs;
  readonly attempt: number;
  readonly status: number | null;
  readonly latencyMs: number;
  readonly answer: string | null;
  readonly error: DeliveryError | null;
}

/** An attempt among those of all databases: the newest first, and at one time by database. */
export interface DeliveryPlace {
  readonly atMs: UnixMs;
  readonly database: number;
  readonly number: number;
}

/** The attempts on the accounts of one database, and in the first one also those of tests. */
export interface AttemptStore {
  /** Adds an attempt outside the lanes. */
  record(attempt: Attempt): Promise<void>;
  /** The attempts of an endpoint after that one, newest first. `database` is the number of this database. */
  list(
    endpointId: string,
    page: {
      readonly after: DeliveryPlace | null;
      readonly database: number;
      readonly limit: number;
    },
  ): Promise<readonly (Attempt & { readonly number: number })[]>;
  /** Deletes attempts of before that time. */
  forget(beforeMs: UnixMs): Promise<void>;
  /** Deletes the attempts of an endpoint. */
  remove(endpointId: string): Promise<void>;
}

interface AttemptRow {
  readonly attempt_id: string;
  readonly endpoint_id: string;
  readonly account_id: string | null;
  readonly event_id: string;
  readonly at_ms: string;
  readonly attempt: number;
  readonly status: number | null;
  readonly latency_ms: number;
  readonly answer: string | null;
  readonly error: DeliveryError | null;
}

/** In the order of `attemptValues`. */
export const ATTEMPT_COLUMNS =
  "endpoint_id, account_id, event_id, at_ms, attempt, status, latency_ms, answer, error";

export function createAttemptStore(database: Queryable): AttemptStore {
  return {
    async record(attempt) {
      await database.query(
        `insert into webhook_attempts (${ATTEMPT_COLUMNS}) values ($1, $2, $3, $4, $5, $6, $7, $8, $9)`,
        [attempt.endpointId, attempt.accountId, ...attemptValues(attempt)],
      );
    },
    async list(endpointId, { after, database: own, limit }) {
      const rows = await database.query<AttemptRow>(
        `select attempt_id, ${ATTEMPT_COLUMNS} from webhook_attempts
         where endpoint_id = $1 and ($2::bigint is null or (at_ms, attempt_id) < ($2, $3::bigint))
         order by at_ms desc, attempt_id desc limit $4`,
        [endpointId, after?.atMs ?? null, after === null ? null : numberBefore(after, own), limit],
      );
      return rows.map(attemptOf);
    },
    async forget(beforeMs) {
      await database.query("delete from webhook_attempts where at_ms < $1", [beforeMs]);
    },
    async remove(endpointId) {
      await database.query("delete from webhook_attempts where endpoint_id = $1", [endpointId]);
    },
  };
}

/** The columns after the endpoint and the account. */
export function attemptValues(attempt: Attempt): readonly unknown[] {
  const { eventId, atMs, attempt: number, status, latencyMs, answer, error } = attempt;
  return [eventId, atMs, number, status, latencyMs, answer, error];
}

/** In this database, the attempts at the place's time with a smaller number come after it. */
function numberBefore({ database, number }: DeliveryPlace, own: number): number {
  if (own === database) return number;
  return own > database ? Number.MAX_SAFE_INTEGER : 0;
}

function attemptOf(row: AttemptRow): Attempt & { readonly number: number } {
  return {
    number: Number(row.attempt_id),
    endpointId: row.endpoint_id,
    accountId: row.account_id === null ? null : accountId(row.account_id),
    eventId: row.event_id,
    atMs: unixMs(Number(row.at_ms)),
    attempt: row.attempt,
    status: row.status,
    latencyMs: row.latency_ms,
    answer: row.answer,
    error: row.error,
  };
}

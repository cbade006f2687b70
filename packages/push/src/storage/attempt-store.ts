import type { DeliveryError } from "@propgate/contract";
import type { AccountId, UnixMs } from "@propgate/core";
import type { Queryable } from "@propgate/ledger";

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

/** The attempts on the accounts of one database, and in the first one also those of tests. */
export interface AttemptStore {
  /** Adds an attempt outside the lanes. */
  record(attempt: Attempt): Promise<void>;
  /** Deletes the attempts made before that time. */
  forget(beforeMs: UnixMs): Promise<void>;
  /** Deletes the attempts of an endpoint. */
  remove(endpointId: string): Promise<void>;
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

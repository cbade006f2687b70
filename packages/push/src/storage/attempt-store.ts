import type { DeliveryError } from "@propgate/contract";
import type { AccountId, UnixMs } from "@propgate/core";
import type { Queryable } from "@propgate/ledger";

/** A finished attempt of a delivery, as the operator sees it. */
export interface Attempt {
  readonly endpointId: string;
  /** The account of the event; null for an alert and for a test. */
  readonly accountId: AccountId | null;
  readonly eventId: string;
  readonly atMs: UnixMs;
  readonly attempt: number;
  readonly status: number | null;
  readonly latencyMs: number;
  readonly answer: string | null;
  readonly error: DeliveryError | null;
}

/**
 * The attempts stored in one database: those for events of its accounts and for the alerts of its owners. The first
 * database also has the attempts of tests.
 */
export interface AttemptStore {
  /** Adds an attempt that was made outside the lanes. Attempts of lanes are added by `LaneStore.advance`. */
  record(attempt: Attempt): Promise<void>;
  /** Deletes the attempts made before this time. */
  deleteBefore(beforeMs: UnixMs): Promise<void>;
  /** Deletes the attempts of an endpoint. */
  remove(endpointId: string): Promise<void>;
}

/** The columns: endpoint and account, then those in the order of `attemptValues`. */
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
    async deleteBefore(beforeMs) {
      await database.query("delete from webhook_attempts where at_ms < $1", [beforeMs]);
    },
    async remove(endpointId) {
      await database.query("delete from webhook_attempts where endpoint_id = $1", [endpointId]);
    },
  };
}

/** The values of the columns after endpoint and account. */
export function attemptValues(attempt: Attempt): readonly unknown[] {
  const { eventId, atMs, attempt: number, status, latencyMs, answer, error } = attempt;
  return [eventId, atMs, number, status, latencyMs, answer, error];
}

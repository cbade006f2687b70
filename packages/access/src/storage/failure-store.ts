import { type UnixMs, unixMs } from "@propgate/core";
import type { Queryable } from "@propgate/ledger";

/** The counted failures of one subject. A subject is a hashed name, address, browser or person. */
export interface Failures {
  readonly subject: string;
  readonly failures: number;
  readonly lastAtMs: UnixMs;
  /** The end of the wait that the failures have caused; 0 when there was none. */
  readonly blockedUntilMs: UnixMs;
}

/**
 * Stores the failures of sign-ins. `write` is for rows that `lockRows` has locked. Each other method that changes
 * several rows locks them in the order of their subjects.
 */
export interface FailureStore {
  /**
   * Locks and returns the rows of the subjects, after creating missing ones with 0 failures. To be called in a
   * transaction.
   */
  lockRows(subjects: readonly string[]): Promise<readonly Failures[]>;
  write(failures: readonly Failures[]): Promise<void>;
  remove(subjects: readonly string[]): Promise<void>;
  /** Subtracts one failure from each subject and ends its wait. */
  uncount(subjects: readonly string[]): Promise<void>;
  /** Removes up to 1,000 subjects whose last failure is older than `atMs`. */
  removeBefore(atMs: UnixMs): Promise<void>;
}

interface FailureRow {
  readonly subject: string;
  readonly failures: number;
  readonly last_at_ms: string;
  readonly blocked_until_ms: string;
}

export function createFailureStore(database: Queryable): FailureStore {
  return {
    // Rows are locked in the order of the subjects, so that two concurrent attempts cannot deadlock.
    async lockRows(subjects) {
      const sorted = subjects.toSorted();
      await database.query(
        `insert into sign_in_failures (subject, failures, last_at_ms, blocked_until_ms)
         select s, 0, 0, 0 from unnest($1::text[]) with ordinality as given (s, n) order by n
         on conflict do nothing`,
        [sorted],
      );
      const rows = await database.query<FailureRow>(
        `select subject, failures, last_at_ms, blocked_until_ms from sign_in_failures
         where subject = any ($1) order by subject for update`,
        [sorted],
      );
      return rows.map((row) => ({
        subject: row.subject,
        failures: row.failures,
        lastAtMs: unixMs(Number(row.last_at_ms)),
        blockedUntilMs: unixMs(Number(row.blocked_until_ms)),
      }));
    },
    async write(failures) {
      await database.query(
        `update sign_in_failures f set failures = g.failures, last_at_ms = g.last_at_ms,
           blocked_until_ms = g.blocked_until_ms
         from unnest($1::text[], $2::integer[], $3::bigint[], $4::bigint[])
           as g (subject, failures, last_at_ms, blocked_until_ms)
         where f.subject = g.subject`,
        [
          failures.map((one) => one.subject),
          failures.map((one) => one.failures),
          failures.map((one) => one.lastAtMs),
          failures.map((one) => one.blockedUntilMs),
        ],
      );
    },
    async remove(subjects) {
      if (subjects.length === 0) return;
      await database.query(
        `delete from sign_in_failures where subject in (
           select subject from sign_in_failures where subject = any ($1) order by subject for update)`,
        [subjects],
      );
    },
    async uncount(subjects) {
      await database.query(
        `with held as materialized (
           select subject from sign_in_failures where subject = any ($1) order by subject for update
         )
         update sign_in_failures f set failures = greatest(failures - 1, 0), blocked_until_ms = 0
         from held where f.subject = held.subject`,
        [subjects],
      );
    },
    async removeBefore(atMs) {
      // Locked rows are skipped; a later call removes them.
      await database.query(
        `delete from sign_in_failures where subject in (
           select subject from sign_in_failures where last_at_ms < $1
           order by subject for update skip locked limit 1000)`,
        [atMs],
      );
    },
  };
}

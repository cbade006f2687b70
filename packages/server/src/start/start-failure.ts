import { CannotStart } from "@propgate/base";
import { DatabaseUnusable, isUnavailable } from "@propgate/ledger";

/**
 * The cause of a failed start for the operator. A failure of the database in the middle of a start is no fault of this
 * program, so it becomes a `CannotStart`; this machine may have been too busy to continue a transaction in time. Any
 * other cause is returned as it is.
 */
export function startFailureOf(cause: unknown): unknown {
  if (!isUnavailable(cause) || cause instanceof DatabaseUnusable) return cause;
  const reason = cause instanceof Error ? cause.message : String(cause);
  return new CannotStart(`The database failed during the start: ${reason}`, {
    fix: "Start again. If it fails again, look at the log of the database, and at how busy this machine is.",
    cause,
  });
}

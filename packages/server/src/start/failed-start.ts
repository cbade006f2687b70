import { CannotStart } from "@propgate/base";
import { DatabaseUnusable, isAway } from "@propgate/ledger";

/**
 * Why a start has failed, for its operator: a database that fails in the middle of it, also because this machine was
 * too busy to continue a transaction in time, is no fault of this program. Every other cause is returned as it is.
 */
export function failedStart(cause: unknown): unknown {
  if (!isAway(cause) || cause instanceof DatabaseUnusable) return cause;
  const reason = cause instanceof Error ? cause.message : String(cause);
  return new CannotStart(`The database failed during the start: ${reason}`, {
    fix: "Start again. If it fails again, look at the log of the database, and at how busy this machine is.",
    cause,
  });
}

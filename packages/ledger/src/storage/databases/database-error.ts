/** The database cannot be used as it is; the text is for the operator and says what to do. */
export class DatabaseUnusable extends Error {
  override readonly name = "DatabaseUnusable";
}

/** The server does not answer: no connection, a connection that broke, or no answer in time. */
export class DatabaseAway extends Error {
  override readonly name = "DatabaseAway";
}

const SERIALIZATION_FAILURE = "40001";
const DEADLOCK_DETECTED = "40P01";
/** Two nodes inserted the same row concurrently; the second one finds it when it retries. */
const UNIQUE_VIOLATION = "23505";
const ROLLED_BACK: ReadonlySet<string> = new Set([
  SERIALIZATION_FAILURE,
  DEADLOCK_DETECTED,
  UNIQUE_VIOLATION,
]);

const DISK_FULL = "53100";
const LOCK_NOT_AVAILABLE = "55P03";
const IDLE_TOO_LONG = "25P03";
const DUPLICATE_STATEMENT = "42P05";
const UNKNOWN_STATEMENT = "26000";
const STATE = /^[0-9A-Z]{5}$/;
/**
 * Connections (08), a standby that cannot write (25006), resources such as disk, memory and
 * connections (53), a statement that took too long or was cancelled (57014), shutdown and start (57P),
 * the server's files (58).
 */
const AWAY = /^(08...|25006|53...|57014|57P..|58...)$/;

/** PostgreSQL's five-character error code; null for other errors. */
export function sqlState(cause: unknown): string | null {
  if (!(cause instanceof Error) || !("code" in cause)) return null;
  return typeof cause.code === "string" && STATE.test(cause.code) ? cause.code : null;
}

/** A lock of another session was not released in time. */
export function isLockTimeout(cause: unknown): boolean {
  return sqlState(cause) === LOCK_NOT_AVAILABLE;
}

/** The database works, but a lock timed out, because this process or another one was paused. */
export function isStall(cause: unknown): boolean {
  return isLockTimeout(cause) || sqlState(cause) === IDLE_TOO_LONG;
}

/** The database is unavailable for a while; neither the statement nor this program is the cause. */
export function isAway(cause: unknown): boolean {
  if (cause instanceof DatabaseAway || cause instanceof DatabaseUnusable) return true;
  return isStall(cause) || AWAY.test(sqlState(cause) ?? "");
}

/** The database fails. Its watch logs that once, so requests that meet it need no line of their own. */
export function isOutage(cause: unknown): boolean {
  return isAway(cause) && !isStall(cause);
}

/** A pooler's server connection has a prepared statement of another client, or lacks one of this client. */
export function lacksPreparedStatements(cause: unknown): boolean {
  const state = sqlState(cause);
  return state === DUPLICATE_STATEMENT || state === UNKNOWN_STATEMENT;
}

/** A table or a file of the database cannot grow. */
export function isDiskFull(cause: unknown): boolean {
  return sqlState(cause) === DISK_FULL;
}

/** The statement inserted a row whose key exists. */
export function isUniqueViolation(cause: unknown): boolean {
  return sqlState(cause) === UNIQUE_VIOLATION;
}

/** States of a connection that was refused, before any statement was sent. */
const NOT_CONNECTED = /^(28...|3D000|53300|57P03)$/;
/** Poolers send class 08 when they lost the server, and 40003 says that the fate is unknown. */
const OF_UNKNOWN_FATE = /^(08...|40003)$/;

/**
 * The server rejected the statement, so nothing of its transaction is written. The state alone does not say so: a
 * session that ends (FATAL) or a server that crashes (PANIC), also by a full disk, may have committed before. The name
 * of the severity is in the language of the server's messages; in another than English nothing is certain.
 */
export function isRejected(cause: unknown): boolean {
  const state = sqlState(cause);
  if (state === null || !(cause instanceof Error) || !("severity" in cause)) return false;
  if (NOT_CONNECTED.test(state)) return true;
  return cause.severity === "ERROR" && !OF_UNKNOWN_FATE.test(state);
}

/** The database rolled back, so a retry is safe. */
export function isRolledBack(cause: unknown): boolean {
  const state = sqlState(cause);
  return state !== null && ROLLED_BACK.has(state);
}

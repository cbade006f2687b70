/** The database cannot be used as it is. The message is for the operator: it names the cause and the remedy. */
export class DatabaseUnusable extends Error {
  override readonly name = "DatabaseUnusable";
}

/** The server does not answer: no connection, a connection that broke, or no answer in time. */
export class DatabaseAway extends Error {
  override readonly name = "DatabaseAway";
}

const SERIALIZATION_FAILURE = "40001";
const DEADLOCK_DETECTED = "40P01";
/**
 * The statement inserted a row whose key exists, for example because two nodes inserted the row concurrently. When the
 * second node tries again, it finds the row.
 */
const UNIQUE_VIOLATION = "23505";
const ROLLED_BACK_STATES: ReadonlySet<string> = new Set([
  SERIALIZATION_FAILURE,
  DEADLOCK_DETECTED,
  UNIQUE_VIOLATION,
]);

const DISK_FULL = "53100";
const LOCK_NOT_AVAILABLE = "55P03";
const IDLE_TOO_LONG = "25P03";
const DUPLICATE_STATEMENT = "42P05";
const UNKNOWN_STATEMENT = "26000";
const SQL_STATE = /^[0-9A-Z]{5}$/;
/**
 * The codes of a database that is unavailable for a while: connections (08), a standby that cannot write (25006),
 * resources such as disk, memory and connections (53), a statement that took too long or was cancelled (57014),
 * shutdown and start (57P), the server's files (58).
 */
const UNAVAILABLE_STATES = /^(08...|25006|53...|57014|57P..|58...)$/;

/** PostgreSQL's five-character error code; null for other errors. */
export function sqlState(cause: unknown): string | null {
  if (!(cause instanceof Error) || !("code" in cause)) return null;
  return typeof cause.code === "string" && SQL_STATE.test(cause.code) ? cause.code : null;
}

/** True when a lock of another session was not released in time. */
export function isLockTimeout(cause: unknown): boolean {
  return sqlState(cause) === LOCK_NOT_AVAILABLE;
}

/**
 * True when the database works, but a lock was not released in time or the server ended an idle transaction, because
 * this process or another one was paused.
 */
export function isStall(cause: unknown): boolean {
  return isLockTimeout(cause) || sqlState(cause) === IDLE_TOO_LONG;
}

/** True when the database is unavailable for a while, a lock was not released, or an idle transaction was ended. */
export function isUnavailable(cause: unknown): boolean {
  if (cause instanceof DatabaseAway || cause instanceof DatabaseUnusable) return true;
  return isStall(cause) || UNAVAILABLE_STATES.test(sqlState(cause) ?? "");
}

/**
 * True when the database itself is unavailable: a stall (`isStall`) does not count. The watch of the database logs an
 * outage once, so the requests that fail because of it need no log lines of their own.
 */
export function isOutage(cause: unknown): boolean {
  return isUnavailable(cause) && !isStall(cause);
}

/** True when a pooler's server connection has a prepared statement of another client, or lacks one of this client. */
export function lacksPreparedStatements(cause: unknown): boolean {
  const state = sqlState(cause);
  return state === DUPLICATE_STATEMENT || state === UNKNOWN_STATEMENT;
}

/** True when a table or a file of the database cannot grow. */
export function isDiskFull(cause: unknown): boolean {
  return sqlState(cause) === DISK_FULL;
}

/** True when the statement inserted a row whose key exists. */
export function isUniqueViolation(cause: unknown): boolean {
  return sqlState(cause) === UNIQUE_VIOLATION;
}

/** The codes of a connection that was refused, before any statement was sent. */
const NOT_CONNECTED = /^(28...|3D000|53300|57P03)$/;
/**
 * The codes after which the fate of a statement is unknown: class 08, which poolers send when they lost the server, and
 * 40003.
 */
const UNKNOWN_FATE_STATES = /^(08...|40003)$/;

/**
 * The codes with which a server rejects a statement: for an unsupported feature, invalid data, a violated constraint, a
 * standby, a deadlock, the statement's text or rights, a lock, a cancellation, or an exception in a function.
 */
const REJECTED_STATES = /^(0A...|22...|23...|25006|40001|40P01|42...|55P03|57014|P0...)$/;

/**
 * True when the server refused the connection or rejected the statement, so no part of its transaction is written. A
 * session that ends (FATAL) or a server that crashes (PANIC), also by a full disk, may have committed before. The
 * severity's name is in the language of the server's messages, so a statement with a code outside of `REJECTED_STATES`
 * is recognized only in English.
 */
export function isRejected(cause: unknown): boolean {
  const state = sqlState(cause);
  if (state === null || !(cause instanceof Error) || !("severity" in cause)) return false;
  if (NOT_CONNECTED.test(state)) return true;
  if (REJECTED_STATES.test(state)) return cause.severity !== "FATAL";
  return cause.severity === "ERROR" && !UNKNOWN_FATE_STATES.test(state);
}

/**
 * True when the database rolled back the transaction because of a concurrent one or an existing key, so a retry is safe
 * and may succeed.
 */
export function isRolledBack(cause: unknown): boolean {
  const state = sqlState(cause);
  return state !== null && ROLLED_BACK_STATES.has(state);
}

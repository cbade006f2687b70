/** The database cannot be used as it is; the text is for the operator and says what to do. */
export class DatabaseUnusable extends Error {
  override readonly name = "DatabaseUnusable";
}

const SERIALIZATION_FAILURE = "40001";
const DEADLOCK_DETECTED = "40P01";
/** Two nodes made the same row at once; the second one sees it when it looks again. */
const UNIQUE_VIOLATION = "23505";
const TAKEN_BACK: ReadonlySet<string> = new Set([
  SERIALIZATION_FAILURE,
  DEADLOCK_DETECTED,
  UNIQUE_VIOLATION,
]);

/** The five characters PostgreSQL names an error with; null when it is none of its errors. */
export function sqlState(cause: unknown): string | null {
  if (!(cause instanceof Error) || !("code" in cause)) return null;
  return typeof cause.code === "string" ? cause.code : null;
}

/** The database itself took everything back, so doing it again is safe. */
export function isTakenBack(cause: unknown): boolean {
  const state = sqlState(cause);
  return state !== null && TAKEN_BACK.has(state);
}

import { PASSWORD_LENGTH_MAX, PASSWORD_LENGTH_MIN } from "@propgate/contract";

/** The problem of a chosen password; null when it is acceptable. */
export function passwordProblem(password: string): string | null {
  // The length is in characters as a person counts them, not in UTF-16 units.
  const length = Array.from(password).length;
  const missing = PASSWORD_LENGTH_MIN - length;
  if (missing > 0) return `${missing} more ${missing === 1 ? "character" : "characters"}`;
  if (length > PASSWORD_LENGTH_MAX) return `At most ${PASSWORD_LENGTH_MAX} characters`;
  return null;
}

import { PASSWORD_LENGTH_MAX, PASSWORD_LENGTH_MIN } from "@propgate/contract";

/** What is wrong with a password that somebody chooses; null: nothing. */
export function passwordProblem(password: string): string | null {
  // Characters as a person counts them, not the halves that some are made of.
  const length = Array.from(password).length;
  const missing = PASSWORD_LENGTH_MIN - length;
  if (missing > 0) return `${missing} more ${missing === 1 ? "character" : "characters"}`;
  if (length > PASSWORD_LENGTH_MAX) return `At most ${PASSWORD_LENGTH_MAX} characters`;
  return null;
}

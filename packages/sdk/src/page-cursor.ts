import { UnexpectedAnswerError } from "./errors.ts";

/** The cursor of the page after this one. A page that names itself as the next one would be read without end. */
export function nextCursor(next: string | null | undefined, read: string | null): string | null {
  if (next != null && next === read) throw new UnexpectedAnswerError(200);
  return next ?? null;
}

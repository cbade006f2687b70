import { eventCursor } from "@propgate/contract";
import type { CursorProblem, LineRef } from "@propgate/ledger";

/** The cursor with which a client names a line of a journal. @rule D9.cursor */
export function cursorOfPlace({ sequence, hash }: LineRef): string {
  return eventCursor(sequence, Buffer.from(hash).toString("hex"));
}

/** The text of the error for a cursor that is not a line of the account's journal. */
export function cursorProblemText(problem: CursorProblem): string {
  return problem.kind === "ahead"
    ? `'after' is ahead of the journal (${problem.head})`
    : `'after': history differs at ${problem.at}`;
}

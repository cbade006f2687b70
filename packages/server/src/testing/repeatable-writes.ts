import type { OPERATOR_CALLS, OperatorCallName } from "@propgate/contract";

type Calls = typeof OPERATOR_CALLS;

/**
 * Every call whose answer is kept for a repetition with the same key. A table by this type does not compile until it
 * has a row for each new write. A bulk is not among them, because each of its rows is repeated like a call of its own.
 */
export type RepeatableWrite = {
  [Name in OperatorCallName]: Calls[Name]["repeats"] extends "nothing" | { readonly rows: unknown }
    ? never
    : Name;
}[OperatorCallName];

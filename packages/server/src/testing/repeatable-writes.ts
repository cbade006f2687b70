import type { OPERATOR_CALLS, OperatorCallName } from "@propgate/contract";

type Calls = typeof OPERATOR_CALLS;

/**
 * The names of all calls whose answer is kept for a repetition with the same idempotency key. A table by these names
 * does not compile until it has a row for each of them. A bulk is not among them, because each of its rows is repeated
 * like a call of its own.
 */
export type RepeatableWrite = {
  [Name in OperatorCallName]: Calls[Name]["repeats"] extends "nothing" | { readonly rows: unknown }
    ? never
    : Name;
}[OperatorCallName];

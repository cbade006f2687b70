import type { OPERATOR_CALLS, OperatorCallName } from "@propgate/contract";

type Calls = typeof OPERATOR_CALLS;

/**
 * Every call whose answer is kept for a repetition with the same key. A table by this type does not compile until it
 * has a row for each new write. Each row of a bulk is repeated as the call of its row.
 */
export type RepeatableWrite = {
  [Name in OperatorCallName]: Calls[Name]["repeats"] extends "nothing" | { readonly rows: unknown }
    ? never
    : Name;
}[OperatorCallName];

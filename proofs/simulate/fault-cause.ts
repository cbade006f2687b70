import { UnknownFate } from "../../packages/ledger/src/trading/network/unknown-fate.ts";
import { NotOwner } from "../../packages/ledger/src/trading/ownership.ts";
import { DatabaseAtFault } from "../../packages/ledger/src/trading/try-later.ts";
import { InjectedFault } from "./shared-database.ts";

const EXPECTED: ReadonlySet<string> = new Set(["HistoryChanged", "DataReadOnly"]);

/** True when a fault of the simulation is the error, or is among the causes that the error names. */
export function isCausedByFault(cause: unknown): boolean {
  if (cause instanceof InjectedFault) return true;
  // Another node owns the account and does the work, or the client got the 500 of an unknown fate, which a checker
  // judges.
  if (cause instanceof NotOwner || cause instanceof UnknownFate) return true;
  if (cause instanceof DatabaseAtFault) return true;
  // The run itself has removed lines of a journal, or restored the database.
  if (cause instanceof Error && EXPECTED.has(cause.name)) return true;
  if (cause instanceof AggregateError && cause.errors.some(isCausedByFault)) return true;
  return cause instanceof Error && cause.cause !== undefined && isCausedByFault(cause.cause);
}

/** True when a database that loses commits caused the error: an account was gone before the answer to its opening. */
export function isCausedByLostCommit(cause: unknown): boolean {
  return cause instanceof Error && cause.name === "UnreadableAfterWrite";
}

/** The stack of an error when it has one, else its text. */
export function errorText(cause: unknown): string {
  return cause instanceof Error ? (cause.stack ?? cause.message) : String(cause);
}

import { UnknownFate } from "../../packages/ledger/src/trading/network/unknown-fate.ts";
import { NotOwner } from "../../packages/ledger/src/trading/ownership.ts";
import { DatabaseAtFault } from "../../packages/ledger/src/trading/try-later.ts";
import { InjectedFault } from "./shared-database.ts";

const EXPECTED: ReadonlySet<string> = new Set(["HistoryChanged", "DataReadOnly"]);

/** Whether a fault of the simulation caused the error. */
export function isInjected(cause: unknown): boolean {
  if (cause instanceof InjectedFault) return true;
  // Either nothing was written and the owner does the work, or the client got a 500, which has its own check.
  if (cause instanceof NotOwner || cause instanceof UnknownFate) return true;
  if (cause instanceof DatabaseAtFault) return true;
  // The run has taken these lines away, or restored the database.
  if (cause instanceof Error && EXPECTED.has(cause.name)) return true;
  if (cause instanceof AggregateError && cause.errors.some(isInjected)) return true;
  return cause instanceof Error && cause.cause !== undefined && isInjected(cause.cause);
}

/** Whether a database that loses commits caused the error: an account was gone before its opening was answered. */
export function isOfLostCommit(cause: unknown): boolean {
  return cause instanceof Error && cause.name === "WrittenAndGone";
}

/** Its stack, when it has one. */
export function textOf(cause: unknown): string {
  return cause instanceof Error ? (cause.stack ?? cause.message) : String(cause);
}

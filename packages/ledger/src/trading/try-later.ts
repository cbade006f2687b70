import { ClockIsWrong, DataReadOnly } from "./barred-executor.ts";
import { LineOfFuture } from "./execution/decision-times.ts";
import { QuotesBehind } from "./executor-port.ts";
import { NotWritten } from "./network/not-written.ts";
import { UnknownFate } from "./network/unknown-fate.ts";
import { NotOwner } from "./ownership.ts";

/** The database of the account fails. Nothing happened; the command may be tried again when the database works. */
export class DatabaseAtFault extends Error {
  override readonly name = "DatabaseAtFault";

  constructor() {
    super("the database of the account fails");
  }
}

/**
 * True when nothing happened, because another node owns the account or has decided it at newer quotes, because the data
 * may only be read, because this node's clock is wrong, or because another one's was.
 */
export function isForLater(cause: unknown): boolean {
  return (
    cause instanceof QuotesBehind ||
    cause instanceof NotOwner ||
    cause instanceof DataReadOnly ||
    cause instanceof ClockIsWrong ||
    cause instanceof LineOfFuture
  );
}

/** True when the database failed, so that its other accounts would fail too. */
export function isOfDatabase(cause: unknown): boolean {
  return (
    cause instanceof UnknownFate || cause instanceof NotWritten || cause instanceof DatabaseAtFault
  );
}

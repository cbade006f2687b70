import { ClockIsWrong, DataReadOnly } from "./barred-executor.ts";
import { LineOfFuture } from "./execution/decision-times.ts";
import { QuotesBehind } from "./executor-port.ts";
import { NotWritten } from "./network/not-written.ts";
import { UnknownFate } from "./network/unknown-fate.ts";
import { NotOwner } from "./ownership.ts";

/** The database of the account fails. The command had no effect and may be tried again when the database works. */
export class DatabaseAtFault extends Error {
  override readonly name = "DatabaseAtFault";

  constructor() {
    super("the database of the account fails");
  }
}

/**
 * True when the command had no effect and can succeed later: another node owns the account or has decided it at newer
 * quotes, the data may only be read, this node's clock is wrong, or a wrong clock has left a line in the future.
 */
export function isRetryable(cause: unknown): boolean {
  return (
    cause instanceof QuotesBehind ||
    cause instanceof NotOwner ||
    cause instanceof DataReadOnly ||
    cause instanceof ClockIsWrong ||
    cause instanceof LineOfFuture
  );
}

/** True when the database failed, so that commands of its other accounts would fail too. */
export function isDatabaseFailure(cause: unknown): boolean {
  return (
    cause instanceof UnknownFate || cause instanceof NotWritten || cause instanceof DatabaseAtFault
  );
}

import type { Executor } from "./executor-port.ts";
import { NotCarriedOut } from "./receipts/not-carried-out.ts";

/** The data were restored and no operator has confirmed that yet. Nothing happened, and nothing of the command will. */
export class DataReadOnly extends NotCarriedOut {
  override readonly name = "DataReadOnly";
}

/**
 * Carries out nothing while the data may only be read: no order, no due work, no effect of a price, no act of an operator.
 * @rule D13.readOnly
 */
export function executorUnless(isReadOnly: () => boolean, executor: Executor): Executor {
  return {
    submit: (submission) =>
      isReadOnly() ? Promise.reject(new DataReadOnly()) : executor.submit(submission),
    idle: () => executor.idle(),
    onCommit: (listener) => executor.onCommit(listener),
    onUnknownFate: (listener) => executor.onUnknownFate(listener),
  };
}

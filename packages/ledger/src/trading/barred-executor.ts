import type { Executor } from "./executor-port.ts";
import { NotCarriedOut } from "./receipts/not-carried-out.ts";

/** The data were restored and no operator has confirmed that yet. Nothing happened, and nothing of the command will. */
export class DataReadOnly extends NotCarriedOut {
  override readonly name = "DataReadOnly";
}

/** The clock of this node is wrong. Nothing happened, and nothing of the command will. @rule D12.oneClock */
export class ClockIsWrong extends NotCarriedOut {
  override readonly name = "ClockIsWrong";
}

/**
 * Carries out nothing while something bars it: no order, no due work, no effect of a price, no act of an operator.
 * @rule D12.oneClock @rule D13.readOnly decides
 */
export function executorUnless(barredBy: () => NotCarriedOut | null, executor: Executor): Executor {
  return {
    submit(submission) {
      const cause = barredBy();
      return cause === null ? executor.submit(submission) : Promise.reject(cause);
    },
    idle: () => executor.idle(),
    onCommit: (listener) => executor.onCommit(listener),
    onUnknownFate: (listener) => executor.onUnknownFate(listener),
  };
}

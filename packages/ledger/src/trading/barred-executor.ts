import type { AccountId } from "@propgate/core";
import type { Executor } from "./executor-port.ts";
import { NotCarriedOut } from "./receipts/not-carried-out.ts";

/** The data were restored and no operator has confirmed that yet. The command was not and will not be carried out. */
export class DataReadOnly extends NotCarriedOut {
  override readonly name = "DataReadOnly";
}

/** The clock of this node is wrong. The command was not and will not be carried out. @rule D12.oneClock */
export class ClockIsWrong extends NotCarriedOut {
  override readonly name: string = "ClockIsWrong";
}

/** The clock of the account's database is wrong. The command was not and will not be carried out. */
export class DatabaseClockIsWrong extends ClockIsWrong {
  override readonly name = "DatabaseClockIsWrong";
}

/**
 * An executor that rejects every command while `barredBy` returns a cause: orders, due work, effects of prices, and
 * acts of operators.
 * @rule D12.oneClock @rule D13.readOnly decides
 */
export function createBarredExecutor(
  barredBy: (account: AccountId) => NotCarriedOut | null,
  executor: Executor,
): Executor {
  return {
    submit(submission) {
      const cause = barredBy(submission.accountId);
      return cause === null ? executor.submit(submission) : Promise.reject(cause);
    },
    idle: () => executor.idle(),
    onCommit: (listener) => executor.onCommit(listener),
    onUnknownFate: (listener) => executor.onUnknownFate(listener),
  };
}

import type { Log } from "@propgate/base";
import type { AccountId } from "@propgate/core";
import type { UpstreamFailure } from "../upstream/port.ts";

/**
 * Logs the failures of readings. An account gets one log line until the reason changes or a reading succeeds. The first
 * success after a failure gets a line too.
 */
export interface FailureLog {
  logFailure(accountId: AccountId, why: string): void;
  logSuccess(accountId: AccountId): void;
}

export function createFailureLog(log: Pick<Log, "info" | "warn">): FailureLog {
  const reasons = new Map<AccountId, string>();
  return {
    logFailure(accountId, why) {
      if (reasons.get(accountId) === why) return;
      reasons.set(accountId, why);
      log.warn({ accountId, why }, "a linked account cannot be read");
    },
    logSuccess(accountId) {
      if (reasons.delete(accountId)) log.info({ accountId }, "a linked account is read again");
    },
  };
}

/** Why a call failed, for the log. The network's own text is left out, because it may name keys and hosts. */
export function failureText(failure: UpstreamFailure): string {
  switch (failure.kind) {
    case "unreachable":
      return `the network cannot be reached: ${failure.why}`;
    case "unreadable":
      return `the answer cannot be read: ${failure.why}`;
    case "refused":
      return `the network answered with status ${failure.status}`;
  }
}

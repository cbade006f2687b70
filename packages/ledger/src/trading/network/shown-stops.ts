import type { AccountId } from "@propgate/core";
import type { BestQuotesLookup, Executor, VersionedState } from "../executor-port.ts";
import { isRetryable } from "../try-later.ts";

/**
 * The trailing stops that answers show. The best price behind a stop is in the journal before an answer shows the stop.
 */
export interface ShownStops {
  /**
   * Records the best prices that the account's trailing stops have followed, then returns the account with these
   * prices. When the recording fails, returns the account with the recorded stops, which earlier answers showed.
   * Without prices to record, returns the same account without a promise.
   */
  of(account: VersionedState): VersionedState | Promise<VersionedState>;
  /** Records the best prices that the stops of these accounts have followed. Call it before the process stops. */
  record(accountIds: readonly AccountId[]): Promise<void>;
}

export interface ShownStopsOptions {
  readonly executor: Pick<Executor, "submit">;
  readonly bests: BestQuotesLookup;
  readonly onFault: (cause: unknown) => void;
}

export function createShownStops({ executor, bests, onFault }: ShownStopsOptions): ShownStops {
  /** The account after its best prices were recorded; null when that failed. */
  const record = async (accountId: AccountId): Promise<VersionedState | null> => {
    try {
      const done = await executor.submit({
        accountId,
        command: { type: "recordBests" },
        origin: { by: "market" },
      });
      return done.ok ? done.account : null;
    } catch (cause) {
      if (!isRetryable(cause)) onFault(cause);
      return null;
    }
  };
  const recorded = async (account: VersionedState): Promise<VersionedState> =>
    (await record(account.state.accountId)) ?? account;
  return {
    // A followed best price is recorded before an answer shows the account. @rule D13.stopNeverFalls decides
    of: (account) =>
      bests(account.state.accountId, account.version) === undefined ? account : recorded(account),
    async record(accountIds) {
      await Promise.all(accountIds.map(record));
    },
  };
}

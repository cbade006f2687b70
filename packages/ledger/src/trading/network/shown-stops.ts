import type { AccountId } from "@propgate/core";
import type { BestsOf, Executor, VersionedState } from "../executor-port.ts";
import { isForLater } from "../try-later.ts";

/** The trailing stops that answers show. A level is in the journal before an answer shows it. */
export interface ShownStops {
  /**
   * The account with what its trailing stops have followed, recorded first. When that cannot be recorded, the account
   * with the recorded stops, which are those that earlier answers showed. Without anything to record, the same account,
   * immediately.
   */
  of(account: VersionedState): VersionedState | Promise<VersionedState>;
  /** Records what the stops of these accounts have followed, before the process stops. */
  record(accountIds: readonly AccountId[]): Promise<void>;
}

export interface ShownStopsOptions {
  readonly executor: Pick<Executor, "submit">;
  readonly bests: BestsOf;
  readonly onFault: (cause: unknown) => void;
}

/** @rule D13.stopNeverFalls decides */
export function createShownStops({ executor, bests, onFault }: ShownStopsOptions): ShownStops {
  /** Null when nothing was recorded. */
  const record = async (accountId: AccountId): Promise<VersionedState | null> => {
    try {
      const done = await executor.submit({
        accountId,
        command: { type: "recordBests" },
        origin: { by: "market" },
      });
      return done.ok ? done.account : null;
    } catch (cause) {
      if (!isForLater(cause)) onFault(cause);
      return null;
    }
  };
  const recorded = async (account: VersionedState): Promise<VersionedState> =>
    (await record(account.state.accountId)) ?? account;
  return {
    of: (account) =>
      bests(account.state.accountId, account.version) === undefined ? account : recorded(account),
    async record(accountIds) {
      await Promise.all(accountIds.map(record));
    },
  };
}

import type { AccountId, AccountState, DailyReturn, UnixMs } from "@propgate/core";
import type { DailyReturnStore } from "../../../storage/stores/daily-return-store.ts";
import { putRecent } from "./recent-entries.ts";

/** Daily returns by account, oldest first, read from the database only when a day has ended. */
export interface ReturnHistory {
  /** One for every full day that had ended in this state of the account. */
  read(state: Pick<AccountState, "accountId" | "day">): Promise<readonly DailyReturn[]>;
  /** Reads the account from the database again, because its history has changed. */
  forget(account: AccountId): void;
}

interface KnownReturns {
  /** The start of the day in progress; all earlier days are in the list. */
  readonly dayStartMs: UnixMs;
  readonly days: readonly DailyReturn[];
}

const ACCOUNTS_MAX = 2000;

export function createReturnHistory(
  store: DailyReturnStore,
  accountsMax = ACCOUNTS_MAX,
): ReturnHistory {
  const accounts = new Map<AccountId, KnownReturns>();
  return {
    forget: (account) => void accounts.delete(account),
    async read({ accountId, day: { startMs: before } }) {
      const known = accounts.get(accountId);
      if (known !== undefined && known.dayStartMs >= before) {
        return known.days.filter((day) => day.dayStartMs < before);
      }
      const after = known?.days.at(-1)?.dayStartMs ?? null;
      const newer = await store.between(accountId, { after, before });
      const days = [...(known?.days ?? []), ...newer];
      putRecent(accounts, {
        key: accountId,
        value: { dayStartMs: before, days },
        max: accountsMax,
      });
      return days;
    },
  };
}

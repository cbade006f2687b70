import {
  type AccountId,
  type AccountState,
  type DailyReturn,
  type UnixMs,
  unixMs,
} from "@propgate/core";
import type { DailyReturnStore } from "../../../storage/stores/daily-return-store.ts";
import { putRecent } from "./recent-entries.ts";

/** The daily returns of accounts, oldest first. They are read from the database only when a day has ended. */
export interface ReturnHistory {
  /**
   * The return of every day that had ended in this state of the account. The last day of an account ends with the
   * account. @rule D13.lastDay
   */
  read(state: Pick<AccountState, "accountId" | "day" | "status">): Promise<readonly DailyReturn[]>;
  /** Makes the next call read the account from the database again, because its history has changed. */
  forget(account: AccountId): void;
}

interface KnownReturns {
  /** `days` has every day that started before this time. */
  readonly beforeMs: UnixMs;
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
    async read({ accountId, day, status }) {
      const hasEnded = status === "eliminated" || status === "closed";
      const before = hasEnded ? unixMs(day.startMs + 1) : day.startMs;
      const known = accounts.get(accountId);
      if (known !== undefined && known.beforeMs >= before) {
        return known.days.filter((day) => day.dayStartMs < before);
      }
      const after = known?.days.at(-1)?.dayStartMs ?? null;
      const newer = await store.between(accountId, { after, before });
      const days = [...(known?.days ?? []), ...newer];
      putRecent(accounts, {
        key: accountId,
        value: { beforeMs: before, days },
        max: accountsMax,
      });
      return days;
    },
  };
}

import { type AccountId, type DailyReturn, percent, type UnixMs, unixMs } from "@propgate/core";
import type { Queryable } from "../databases/database.ts";

/** The return of each UTC day of an account's life that has ended. The last day ends with the account. */
export interface DailyReturnStore {
  /** Returns of days that began after `after` and before `before`, oldest first. */
  between(
    account: AccountId,
    days: { readonly after: UnixMs | null; readonly before: UnixMs },
  ): Promise<readonly DailyReturn[]>;
}

export function createDailyReturnStore(database: Queryable): DailyReturnStore {
  return {
    async between(account, { after, before }) {
      const rows = await database.query<{ day_start_ms: string; percent: number }>(
        `select day_start_ms, percent from daily_returns
         where account_id = $1 and day_start_ms < $2
           and ($3::bigint is null or day_start_ms > $3) order by day_start_ms`,
        [account, before, after],
      );
      return rows.map((row) => ({
        dayStartMs: unixMs(Number(row.day_start_ms)),
        percent: percent(row.percent),
      }));
    },
  };
}

import type { AccountId, Trade } from "@propgate/core";
import type { TradeStore } from "../../../storage/stores/trade-store.ts";
import type { ReadAt } from "../port.ts";
import { putRecent } from "./recent-entries.ts";

/** Closed trades by account, newest first, read from the database only when the account moved. */
export interface TradeHistory {
  read(at: ReadAt): Promise<readonly Trade[]>;
  /** Reads the account from the database again, because its history has changed. */
  forget(account: AccountId): void;
}

interface KnownTrades {
  readonly version: number;
  readonly newestSeq: number;
  readonly trades: readonly Trade[];
}

const ACCOUNTS_MAX = 2000;

export function createTradeHistory(store: TradeStore, accountsMax = ACCOUNTS_MAX): TradeHistory {
  const accounts = new Map<AccountId, KnownTrades>();
  return {
    forget: (account) => void accounts.delete(account),
    async read({ accountId, version }) {
      const known = accounts.get(accountId) ?? { version: 0, newestSeq: 0, trades: [] };
      if (known.version >= version && known.version > 0) return known.trades;
      const newer = await store.newerThan(accountId, known.newestSeq);
      const trades = [...newer.map((row) => row.trade), ...known.trades];
      const value = { version, newestSeq: newer[0]?.seq ?? known.newestSeq, trades };
      putRecent(accounts, { key: accountId, value, max: accountsMax });
      return trades;
    },
  };
}

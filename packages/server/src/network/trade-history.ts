import type { AccountId, Trade } from "@propgate/core";
import type { TradeStore } from "../storage/stores/trade-store.ts";
import type { ReadAt } from "./port.ts";

/** Closed trades by account, newest first, read from the database only when the account moved. */
export interface TradeHistory {
  read(at: ReadAt): Promise<readonly Trade[]>;
}

interface Known {
  readonly version: number;
  readonly newestSeq: number;
  readonly trades: readonly Trade[];
}

const ACCOUNTS_MAX = 2000;

export function createTradeHistory(store: TradeStore, most = ACCOUNTS_MAX): TradeHistory {
  const accounts = new Map<AccountId, Known>();
  const keep = (id: AccountId, known: Known): void => {
    accounts.delete(id);
    accounts.set(id, known);
    const [oldest] = accounts.keys();
    if (accounts.size > most && oldest !== undefined) accounts.delete(oldest);
  };
  return {
    async read({ accountId, version }) {
      const known = accounts.get(accountId) ?? { version: 0, newestSeq: 0, trades: [] };
      if (known.version >= version && known.version > 0) return known.trades;
      const newer = await store.newerThan(accountId, known.newestSeq);
      const trades = [...newer.map((row) => row.trade), ...known.trades];
      keep(accountId, { version, newestSeq: newer[0]?.seq ?? known.newestSeq, trades });
      return trades;
    },
  };
}

import type { AccountId, Trade } from "@propgate/core";
import type { Queryable } from "../databases/database.ts";

/** A trade with the number of the journal line that closed it. */
export interface ClosedTrade {
  readonly seq: number;
  readonly trade: Trade;
}

/**
 * Selects the newest `limit` trades closed after line `newerThan` and before line `olderThan`. A null `olderThan` is no
 * limit.
 */
export interface TradeRange {
  readonly newerThan: number;
  readonly olderThan: number | null;
  readonly limit: number;
}

/** Closed trades, stored outside the account's state because their number only grows. */
export interface TradeStore {
  /** The trades of the range, newest first. */
  page(account: AccountId, page: TradeRange): Promise<readonly ClosedTrade[]>;
  /** The number of the journal line that closed the trade; null when the account has no such trade. */
  closingLineOf(account: AccountId, tradeId: string): Promise<number | null>;
}

export function createTradeStore(database: Queryable): TradeStore {
  return {
    async page(account, { newerThan, olderThan, limit }) {
      const rows = await database.query<{ seq: string; trade: string }>(
        `select seq, trade from trades where account_id = $1 and seq > $2 and seq < $3
         order by seq desc limit $4`,
        [account, newerThan, olderThan ?? Number.MAX_SAFE_INTEGER, limit],
      );
      return rows.map((row) => ({ seq: Number(row.seq), trade: parseTrade(row.trade) }));
    },
    async closingLineOf(account, tradeId) {
      const rows = await database.query<{ seq: string }>(
        "select seq from trades where account_id = $1 and trade_id = $2 order by seq desc limit 1",
        [account, tradeId],
      );
      return rows[0] === undefined ? null : Number(rows[0].seq);
    },
  };
}

/** Only the executor and a rebuild write this column, always from a `Trade`. */
function parseTrade(text: string): Trade {
  return JSON.parse(text) as Trade;
}

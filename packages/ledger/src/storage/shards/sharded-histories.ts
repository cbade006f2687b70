import { createDailyReturnStore, type DailyReturnStore } from "../stores/daily-return-store.ts";
import { createEquityStore, type EquityStore } from "../stores/equity-store.ts";
import { createTradeStore, type TradeStore } from "../stores/trade-store.ts";
import { perShard, shardOf } from "./per-shard.ts";
import type { Shards } from "./shards.ts";

/** The closed trades of the accounts of all databases. */
export function createShardedTrades({ all }: Pick<Shards, "all">): TradeStore {
  const stores = perShard(all, createTradeStore);
  if (stores.length === 1) return stores[0];
  return {
    page: (account, page) => shardOf(stores, account).page(account, page),
    closingLineOf: (account, trade) => shardOf(stores, account).closingLineOf(account, trade),
  };
}

/** The daily returns of the accounts of all databases. */
export function createShardedDailyReturns({ all }: Shards): DailyReturnStore {
  const stores = perShard(all, createDailyReturnStore);
  if (stores.length === 1) return stores[0];
  return { between: (account, days) => shardOf(stores, account).between(account, days) };
}

/** The equity of the accounts of all databases, without `thin`: each database thins its own points. */
export function createShardedEquity({
  all,
}: Shards): Pick<EquityStore, "add" | "between" | "lastAt"> {
  const stores = perShard(all, createEquityStore);
  if (stores.length === 1) return stores[0];
  return {
    async add(points) {
      const groups = Map.groupBy(points, ({ accountId }) => shardOf(stores, accountId));
      await Promise.all([...groups].map(([store, own]) => store.add(own)));
    },
    between: (account, range) => shardOf(stores, account).between(account, range),
    lastAt: (account, atMs) => shardOf(stores, account).lastAt(account, atMs),
  };
}

import { microUsd } from "@propgate/core";
import { createPayoutStore, type PayoutStore } from "../stores/payout-store.ts";
import { perShard, shardOf } from "./per-shard.ts";
import type { Shards } from "./shards.ts";

/** The payouts of the accounts of all databases. */
export function createShardedPayouts({ all }: Shards): PayoutStore {
  const stores = perShard(all, createPayoutStore);
  if (stores.length === 1) return stores[0];
  return {
    page: (account, page) => shardOf(stores, account.accountId).page(account, page),
    find: (account, id) => shardOf(stores, account).find(account, id),
    async unpaid() {
      const all = await Promise.all(stores.map((store) => store.unpaid()));
      return {
        count: all.reduce((sum, { count }) => sum + count, 0),
        amount: microUsd(all.reduce((sum, { amount }) => sum + amount, 0)),
      };
    },
  };
}

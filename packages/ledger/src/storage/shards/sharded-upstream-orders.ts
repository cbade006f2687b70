import type { UpstreamOrderStore } from "../rows/upstream-order.ts";
import { createUpstreamOrderStore } from "../stores/network/upstream-order-store.ts";
import { earlierTime } from "./earlier-time.ts";
import { perShard, shardOf } from "./per-shard.ts";
import { readFromWorking } from "./read-from-working.ts";
import type { Shards } from "./shards.ts";

/** The orders of the linked accounts of all databases. */
export function createShardedUpstreamOrders({ all }: Shards): UpstreamOrderStore {
  const stores = perShard(all, createUpstreamOrderStore);
  if (stores.length === 1) return stores[0];
  return {
    begin: (order, sender) => shardOf(stores, order.accountId).begin(order, sender),
    end: (end) => shardOf(stores, end.accountId).end(end),
    async takeOver(holder, forMs, limit) {
      const taken = await readFromWorking(stores, (store) => store.takeOver(holder, forMs, limit));
      return taken.flat();
    },
    async extendLeases(orders, holder, forMs) {
      const kept = await readFromWorking(stores, (store) =>
        store.extendLeases(orders, holder, forMs),
      );
      return new Set(kept.flatMap((own) => [...own]));
    },
    async countSending() {
      const counts = await Promise.all(stores.map((store) => store.countSending()));
      return counts.reduce((one, other) => ({
        count: one.count + other.count,
        oldestCreatedAtMs: earlierTime(one.oldestCreatedAtMs, other.oldestCreatedAtMs),
      }));
    },
  };
}

import { FOUND_MAX } from "@propgate/contract";
import { createSearchStore, type SearchStore } from "../stores/search-store.ts";
import { interleave } from "./merged-lists.ts";
import { perShard } from "./per-shard.ts";
import type { Shards } from "./shards.ts";

/** Searches all databases. Rows of the databases alternate, so that those of one do not displace those of another. */
export function createShardedSearch({ all }: Shards): SearchStore {
  const stores = perShard(all, createSearchStore);
  if (stores.length === 1) return stores[0];
  return {
    async find(text) {
      const found = await Promise.all(stores.map((store) => store.find(text)));
      return {
        accounts: interleave(found.map(({ accounts }) => accounts)).slice(0, FOUND_MAX),
        keys: interleave(found.map(({ keys }) => keys)).slice(0, FOUND_MAX),
        payouts: interleave(found.map(({ payouts }) => payouts)).slice(0, FOUND_MAX),
      };
    },
  };
}

import { type PerShard, shardOf } from "../../storage/shards/per-shard.ts";
import type { StateCache } from "../state-cache.ts";

/** The caches of the account states of several databases as one cache. */
export function createShardedStates(caches: PerShard<StateCache>): StateCache {
  if (caches.length === 1) return caches[0];
  return {
    get: (id) => shardOf(caches, id).get(id),
    put: (account) => shardOf(caches, account.state.accountId).put(account),
    read: (at) => shardOf(caches, at.accountId).read(at),
    async load(ids) {
      const loaded = await Promise.all(
        [...Map.groupBy(ids, (id) => shardOf(caches, id))].map(([cache, own]) => cache.load(own)),
      );
      return loaded.flat();
    },
    async readUncached(accounts) {
      const groups = Map.groupBy(accounts, (at) => shardOf(caches, at.accountId));
      return (await Promise.all([...groups].map(([cache, own]) => cache.readUncached(own)))).flat();
    },
    mayAnswer: (at) => shardOf(caches, at.accountId).mayAnswer(at),
    onHistoryChanged(listener) {
      for (const cache of caches) cache.onHistoryChanged(listener);
    },
    historiesChanged: () => caches.reduce((sum, cache) => sum + cache.historiesChanged(), 0),
    throwIfUnreadable: (id) => shardOf(caches, id).throwIfUnreadable(id),
    async loadExposed(partition) {
      return (await Promise.all(caches.map((cache) => cache.loadExposed(partition)))).flat();
    },
  };
}

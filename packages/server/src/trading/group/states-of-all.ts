import { type PerDatabase, partOf } from "../../storage/databases/per-database.ts";
import { grouped } from "../../storage/group/grouped.ts";
import type { StateCache } from "../state-cache.ts";

/** The caches of several databases as one. */
export function statesOfAll(caches: PerDatabase<StateCache>): StateCache {
  return {
    get: (id) => partOf(caches, id).get(id),
    put: (account) => partOf(caches, account.state.accountId).put(account),
    read: (at) => partOf(caches, at.accountId).read(at),
    async load(ids) {
      const loaded = await Promise.all(
        [...grouped(ids, (id) => partOf(caches, id))].map(([cache, own]) => cache.load(own)),
      );
      return loaded.flat();
    },
    agrees: (at) => partOf(caches, at.accountId).agrees(at),
    onHistoryChanged(listener) {
      for (const cache of caches) cache.onHistoryChanged(listener);
    },
    historiesChanged: () => caches.reduce((sum, cache) => sum + cache.historiesChanged(), 0),
    throwIfUnreadable: (id) => partOf(caches, id).throwIfUnreadable(id),
    async loadExposed(partition) {
      return (await Promise.all(caches.map((cache) => cache.loadExposed(partition)))).flat();
    },
  };
}

import type { OwnerId } from "@propgate/core";
import {
  type PerShard,
  perShard,
  type Shards,
  shardAt,
  shardNumberOfKey,
  shardOf,
  shardOfKey,
} from "@propgate/ledger";
import { createKeyStore } from "./key-store.ts";
import type { KeyStore } from "./key-store-port.ts";

/**
 * The keys of all databases. A key is on the database of its account, and the key's id names this database. All keys of
 * an owner are on the database of that owner.
 */
export function createShardedKeys({ all, ownerShards }: Shards): KeyStore {
  const stores = perShard(all, createKeyStore);
  if (stores.length === 1) return stores[0];
  const ofOwner = async (owner: OwnerId): Promise<KeyStore> =>
    shardAt(stores, await ownerShards.shardNumberOfOwner(owner));
  return {
    insert: (key, made) => shardOf(stores, key.accountId).insert(key, made),
    find: (keyIds) => readFromOwnShards(stores, keyIds, (store, own) => store.find(own)),
    list: (account, rejectedSinceMs) => shardOf(stores, account).list(account, rejectedSinceMs),
    revoke: (keyId, revocation) => shardOfKey(stores, keyId).revoke(keyId, revocation),
    countOfOwner: async (owner, now) => (await ofOwner(owner)).countOfOwner(owner, now),
    changeOfOwner: async (owner, change) => (await ofOwner(owner)).changeOfOwner(owner, change),
    page: (after, limit) => readPage(stores, after, limit),
    async findSealedWith(version, limit) {
      const lists = await Promise.all(stores.map((store) => store.findSealedWith(version, limit)));
      return lists.flat().slice(0, limit);
    },
    async reseal(keys) {
      const groups = Map.groupBy(keys, ({ keyId }) => shardOfKey(stores, keyId));
      const counts = await Promise.all([...groups].map(([store, own]) => store.reseal(own)));
      return counts.reduce((sum, count) => sum + count, 0);
    },
    async countBySealVersion() {
      const sums = new Map<number, number>();
      for (const counts of await Promise.all(stores.map((store) => store.countBySealVersion()))) {
        for (const [version, keys] of counts) sums.set(version, (sums.get(version) ?? 0) + keys);
      }
      return new Map([...sums].toSorted(([one], [other]) => one - other));
    },
  };
}

async function readFromOwnShards<Value>(
  stores: PerShard<KeyStore>,
  keyIds: readonly string[],
  read: (store: KeyStore, own: readonly string[]) => Promise<readonly Value[]>,
): Promise<readonly Value[]> {
  const groups = Map.groupBy(keyIds, (keyId) => shardOfKey(stores, keyId));
  return (await Promise.all([...groups].map(([store, own]) => read(store, own)))).flat();
}

/**
 * A page of the keys of all databases, one database after the other, because their servers may sort texts differently.
 */
async function readPage(
  stores: PerShard<KeyStore>,
  after: string | null,
  limit: number,
): ReturnType<KeyStore["page"]> {
  const page: Awaited<ReturnType<KeyStore["page"]>>[number][] = [];
  const first = after === null ? 0 : shardNumberOfKey(after);
  for (const [index, store] of stores.slice(first).entries()) {
    page.push(...(await store.page(index === 0 ? after : null, limit - page.length)));
    if (page.length >= limit) break;
  }
  return page;
}

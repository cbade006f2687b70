import type { AccountId, OwnerId } from "@propgate/core";
import { shardNumberOf } from "../rows/shard-number.ts";
import {
  type AccountStore,
  type AccountSummary,
  createAccountStore,
  type DueAccount,
} from "../stores/account-store.ts";
import { earlierTime } from "./earlier-time.ts";
import { compareText, mergeFirst } from "./merged-lists.ts";
import { type PerShard, perShard, shardAt, shardOf } from "./per-shard.ts";
import { readFromWorking } from "./read-from-working.ts";
import type { Shards } from "./shards.ts";

/** The accounts of all databases. An owner's lists are read from the owner's database alone. */
export function createShardedAccounts({ all, ownerShards }: Shards): AccountStore {
  const stores = perShard(all, createAccountStore);
  if (stores.length === 1) return stores[0];
  const ofOwner = async (owner: OwnerId): Promise<AccountStore> =>
    shardAt(stores, await ownerShards.shardNumberOfOwner(owner));
  const onEach = <Value>(read: (store: AccountStore) => Promise<Value>): Promise<Value[]> =>
    Promise.all(stores.map(read));
  const countActiveOf: AccountStore["countActiveOf"] = async (owners) => {
    const counts = new Map<OwnerId, number>();
    const groups = Map.groupBy(
      await Promise.all(owners.map(async (owner) => ({ owner, store: await ofOwner(owner) }))),
      ({ store }) => store,
    );
    await Promise.all(
      [...groups].map(async ([store, own]) => {
        const found = await store.countActiveOf(own.map(({ owner }) => owner));
        for (const [owner, count] of found) counts.set(owner, count);
      }),
    );
    return counts;
  };
  return {
    find: (account) => shardOf(stores, account).find(account),
    async list(page) {
      const { ownerId: owner = null, limit } = page;
      if (owner !== null) return (await ofOwner(owner)).list(page);
      return mergeFirst(await onEach((store) => store.list(page)), compareById, limit);
    },
    linked: async () => (await onEach((store) => store.linked())).flat(),
    async newest(owner, limit) {
      if (owner !== null) return (await ofOwner(owner)).newest(owner, limit);
      return mergeFirst(
        await onEach((store) => store.newest(null, limit)),
        compareNewestFirst,
        limit,
      );
    },
    versions: (accounts) => versions(stores, accounts),
    countActive: async (owner) => (await countActiveOf([owner])).get(owner) ?? 0,
    countActiveOf,
    async due(now, page) {
      return mergeFirst(
        await onEach((store) => store.due(now, page)),
        compareByDueTime,
        page.limit,
      );
    },
    firstDueAfter: async (after) =>
      (await onEach((store) => store.firstDueAfter(after))).reduce(earlierTime),
    async dueLag(now, of) {
      const lags = await onEach((store) => store.dueLag(now, of));
      return lags.reduce((one, other) => ({
        waiting: one.waiting + other.waiting,
        oldestDueAtMs: earlierTime(one.oldestDueAtMs, other.oldestDueAtMs),
      }));
    },
    hasAny: async () => (await onEach((store) => store.hasAny())).includes(true),
  };
}

/** The versions of the accounts on the databases that work, so that live streams of these accounts continue. */
async function versions(
  stores: PerShard<AccountStore>,
  accounts: readonly AccountId[],
): ReturnType<AccountStore["versions"]> {
  const groups = Map.groupBy(accounts, shardNumberOf);
  const found = await readFromWorking([...groups], ([database, own]) =>
    shardAt(stores, database).versions(own),
  );
  return found.flat();
}

function compareById(one: AccountSummary, other: AccountSummary): number {
  return compareText(one.accountId, other.accountId);
}

function compareNewestFirst(one: AccountSummary, other: AccountSummary): number {
  return other.createdAtMs - one.createdAtMs || compareById(one, other);
}

function compareByDueTime(one: DueAccount, other: DueAccount): number {
  return one.dueAtMs - other.dueAtMs || compareText(one.accountId, other.accountId);
}

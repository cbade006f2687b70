import { createSerialQueue } from "@propgate/base";
import type { AccountId } from "@propgate/core";
import type { Database } from "../databases/database.ts";
import type { LinkedAccountStore, OpenPair } from "../rows/linked-account.ts";
import { createLinkedAccountStore } from "../stores/network/linked-account-store.ts";
import { earlierTime } from "./earlier-time.ts";
import { interleave } from "./merged-lists.ts";
import { type PerShard, perShard, shardOf } from "./per-shard.ts";
import { readFromWorking } from "./read-from-working.ts";
import type { Shards } from "./shards.ts";

/** The linked accounts of all databases. */
export function createShardedLinkedAccounts({ first, all }: Shards): LinkedAccountStore {
  const stores = perShard(all, createLinkedAccountStore);
  if (stores.length === 1) return stores[0];
  // `link` calls run one at a time: each holds one connection while it uses another, so they could block each other.
  const links = createSerialQueue();
  const of = (account: AccountId): LinkedAccountStore => shardOf(stores, account);
  const isLinked = async (hotkey: string): Promise<boolean> =>
    (await Promise.all(stores.map((store) => store.isLinked(hotkey)))).includes(true);
  return {
    link: (link, opening) =>
      links.run(() =>
        withSubaccountLock(first, link.hotkey, async () => {
          if (await isLinked(link.hotkey)) return "linkedBefore";
          return of(link.accountId).link(link, opening);
        }),
      ),
    close: (account, closing) => of(account).close(account, closing),
    find: (account) => of(account).find(account),
    isLinked,
    async unreadSince(before, limit) {
      const lists = await readFromWorking(stores, (store) => store.unreadSince(before, limit));
      return interleave(lists).slice(0, limit);
    },
    takeLease: (account, holder, forMs) => of(account).takeLease(account, holder, forMs),
    releaseLease: (account, holder) => of(account).releaseLease(account, holder),
    storeReading: (write) => of(write.accountId).storeReading(write),
    recordChange: (account, atMs) => of(account).recordChange(account, atMs),
    recordFailure: (account, atMs) => of(account).recordFailure(account, atMs),
    records: (account, kind, limit) => of(account).records(account, kind, limit),
    summary: () => summaryOf(stores),
    openPairs: async () => sumPairs(await readFromWorking(stores, (store) => store.openPairs())),
  };
}

const LINK_LOCK = 7_720_029;
const LINK_MS = 10_000;

/**
 * Does the work while no other process does it for the same subaccount. A database knows only its own subaccounts, so
 * two links of one subaccount on two databases would not notice each other.
 */
function withSubaccountLock<Value>(
  first: Database,
  hotkey: string,
  work: () => Promise<Value>,
): Promise<Value> {
  return first.transaction(
    async (transaction) => {
      await transaction.query("select pg_advisory_xact_lock($1, hashtext($2))", [
        LINK_LOCK,
        hotkey,
      ]);
      return work();
    },
    { idleMs: LINK_MS },
  );
}

async function summaryOf(
  stores: PerShard<LinkedAccountStore>,
): ReturnType<LinkedAccountStore["summary"]> {
  const summaries = await Promise.all(stores.map((store) => store.summary()));
  return summaries.reduce((one, other) => ({
    linked: one.linked + other.linked,
    failing: one.failing + other.failing,
    oldestReadAtMs: earlierTime(one.oldestReadAtMs, other.oldestReadAtMs),
  }));
}

function sumPairs(lists: readonly (readonly OpenPair[])[]): readonly OpenPair[] {
  const added = new Map<string, number>();
  for (const { pair, accounts } of lists.flat()) added.set(pair, (added.get(pair) ?? 0) + accounts);
  return [...added].map(([pair, accounts]) => ({ pair, accounts }));
}

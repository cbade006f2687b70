import { type AccountId, accountId, unixMs } from "@propgate/core";
import { shardNumberOf } from "../rows/shard-number.ts";
import {
  type AccountPayout,
  createPayoutStore,
  type PayoutStore,
  type UnpaidPosition,
} from "../stores/payout-store.ts";
import { firstOf } from "./merged-lists.ts";
import { perShard, shardOf } from "./per-shard.ts";
import type { Shards } from "./shards.ts";

/** The payouts of the accounts of all databases. Payouts of one period's end come database after database. */
export function shardedPayouts({ all }: Shards): PayoutStore {
  const stores = perShard(all, createPayoutStore);
  if (stores.length === 1) return stores[0];
  return {
    page: (account, page) => shardOf(stores, account.accountId).page(account, page),
    find: (account, id) => shardOf(stores, account).find(account, id),
    recorded: (account, id) => shardOf(stores, account).recorded(account, id),
    async unpaid({ after, ...page }) {
      const lists = stores.map((store, database) =>
        store.unpaid({ ...page, after: after === null ? null : afterIn(database, after) }),
      );
      return firstOf(await Promise.all(lists), oldestFirst, page.limit);
    },
  };
}

/** Where the list of this database continues after the payout. */
function afterIn(database: number, after: UnpaidPosition): UnpaidPosition {
  const own = shardNumberOf(accountOf(after.id));
  if (database === own) return after;
  // Every id comes after an empty one.
  const periodEndMs = database > own ? after.periodEndMs : unixMs(after.periodEndMs + 1);
  return { periodEndMs, id: "" };
}

/** A payout's id is `po_`, its account's id, `_` and a number. */
function accountOf(payout: string): AccountId {
  return accountId(payout.slice("po_".length, "po_".length + UUID_LENGTH));
}

const UUID_LENGTH = 36;

/** Sorting keeps the order of the lists, and the order within each. */
function oldestFirst(one: AccountPayout, other: AccountPayout): number {
  return one.payout.periodEndMs - other.payout.periodEndMs;
}

import type { AccountId } from "@propgate/core";
import type { ReceiptStore } from "../rows/receipt-store-port.ts";
import { perShard, shardOf } from "../shards/per-shard.ts";
import type { Shards } from "../shards/shards.ts";
import { createReceiptStore } from "../stores/receipt-store.ts";

/** The receipts of an account's commands, which are on its database. */
export function shardedReceipts({
  all,
}: Shards): (account: AccountId) => Pick<ReceiptStore, "read"> {
  const stores = perShard(all, createReceiptStore);
  return (account) => shardOf(stores, account);
}

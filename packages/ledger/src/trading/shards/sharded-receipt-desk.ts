import { type PerShard, shardOfKey } from "../../storage/shards/per-shard.ts";
import type { ReceiptDesk } from "../receipts/receipt-desk.ts";

/** The fates of the orders of all keys: each database writes its own rejections. */
export function shardedReceiptDesk(desks: PerShard<ReceiptDesk>): ReceiptDesk {
  return {
    find: (write) => shardOfKey(desks, write.keyId).find(write),
    rejected: (write) => shardOfKey(desks, write.keyId).rejected(write),
    abandon: (write) => shardOfKey(desks, write.keyId).abandon(write),
  };
}

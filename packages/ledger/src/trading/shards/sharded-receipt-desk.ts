import type { Database } from "../../storage/databases/database.ts";
import { type PerShard, perShard, shardOfKey } from "../../storage/shards/per-shard.ts";
import { createReceiptStore } from "../../storage/stores/receipt-store.ts";
import {
  createReceiptDesk,
  type ReceiptDesk,
  type ReceiptDeskOptions,
} from "../receipts/receipt-desk.ts";

/** The fates of the orders of all keys. Each key's receipts are in the database of its account. */
export function createShardedReceiptDesk(
  databases: PerShard<Database>,
  { clock, timer, overdueAfterMs, onFault }: Omit<ReceiptDeskOptions, "store">,
): ReceiptDesk {
  const desks = perShard(databases, (database) => {
    const store = createReceiptStore(database);
    return createReceiptDesk({ store, clock, timer, overdueAfterMs, onFault });
  });
  if (desks.length === 1) return desks[0];
  return {
    find: (write) => shardOfKey(desks, write.keyId).find(write),
    storeRejection: (write) => shardOfKey(desks, write.keyId).storeRejection(write),
    abandon: (write) => shardOfKey(desks, write.keyId).abandon(write),
  };
}

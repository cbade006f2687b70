import type { Database } from "../../storage/databases/database.ts";
import { createEventLines } from "../../storage/journal/event-lines.ts";
import { createOrderLineStore } from "../../storage/journal/order-lines.ts";
import { type PerShard, perShard, shardOf } from "../../storage/shards/per-shard.ts";
import { createOrderLifeDesk, type OrderLifeDesk } from "../order-lives/order-life-desk.ts";

/** The orders and fills of the accounts of all databases. */
export function createShardedOrderLives(databases: PerShard<Database>): OrderLifeDesk {
  const desks = perShard(databases, (database) =>
    createOrderLifeDesk({
      lines: createEventLines(database),
      store: createOrderLineStore(database),
    }),
  );
  if (desks.length === 1) return desks[0];
  return {
    find: (account, orderUuid, after) => shardOf(desks, account).find(account, orderUuid, after),
    orders: (account, page) => shardOf(desks, account).orders(account, page),
    fills: (account, page) => shardOf(desks, account).fills(account, page),
  };
}

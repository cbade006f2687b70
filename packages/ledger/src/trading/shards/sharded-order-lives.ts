import { type PerShard, shardOf } from "../../storage/shards/per-shard.ts";
import type { OrderLifeDesk } from "../order-lives/order-life-desk.ts";

/** The orders and fills of the accounts of all databases. */
export function shardedOrderLives(desks: PerShard<OrderLifeDesk>): OrderLifeDesk {
  return {
    find: (account, orderUuid, after) => shardOf(desks, account).find(account, orderUuid, after),
    orders: (account, page) => shardOf(desks, account).orders(account, page),
    fills: (account, page) => shardOf(desks, account).fills(account, page),
  };
}

import type { LinkedAccountStore } from "../storage/rows/linked-account.ts";
import type { UpstreamOrderStore } from "../storage/rows/upstream-order.ts";
import { shardedEquity } from "../storage/shards/sharded-histories.ts";
import { shardedLinkedAccounts } from "../storage/shards/sharded-linked-accounts.ts";
import { shardedUpstreamOrders } from "../storage/shards/sharded-upstream-orders.ts";
import type { Shards } from "../storage/shards/shards.ts";
import type { EquityStore } from "../storage/stores/equity-store.ts";

/** What is stored of the linked accounts of all databases. */
export interface LinkedStores {
  readonly accounts: LinkedAccountStore;
  readonly orders: UpstreamOrderStore;
  readonly equity: Pick<EquityStore, "add" | "between" | "lastAt">;
}

export function openLinkedStores(databases: Shards): LinkedStores {
  return {
    accounts: shardedLinkedAccounts(databases),
    orders: shardedUpstreamOrders(databases),
    equity: shardedEquity(databases),
  };
}

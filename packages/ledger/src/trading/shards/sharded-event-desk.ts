import { type PerShard, shardOf } from "../../storage/shards/per-shard.ts";
import type { EventDesk } from "../events/event-desk.ts";

/** The events of the accounts of all databases. */
export function createShardedEventDesk(desks: PerShard<EventDesk>): EventDesk {
  if (desks.length === 1) return desks[0];
  return {
    read: (account, request, waiting) => shardOf(desks, account).read(account, request, waiting),
    locate: (account, cursor) => shardOf(desks, account).locate(account, cursor),
    page: (account, request) => shardOf(desks, account).page(account, request),
    follow: (account, listener) => shardOf(desks, account).follow(account, listener),
  };
}

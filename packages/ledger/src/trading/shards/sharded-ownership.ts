import { type PerShard, shardOf } from "../../storage/shards/per-shard.ts";
import type { AccountOwnership } from "../ownership.ts";

/** The leases under which this node decides accounts, on several databases. */
export function createShardedOwnership(parts: PerShard<AccountOwnership>): AccountOwnership {
  if (parts.length === 1) return parts[0];
  return { leaseOf: (account) => shardOf(parts, account).leaseOf(account) };
}

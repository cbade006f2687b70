import { type PerShard, shardOf } from "@propgate/ledger";
import type { PartitionOwners } from "../forwarding/partition-owners.ts";

/** The owners of the partitions of several databases, each of which has its own leases. */
export function shardedPartitionOwners(parts: PerShard<PartitionOwners>): PartitionOwners {
  if (parts.length === 1) return parts[0];
  return {
    ownerOf: (account) => shardOf(parts, account).ownerOf(account),
    refresh: (account) => shardOf(parts, account).refresh(account),
  };
}

import { type PerShard, shardOf } from "@propgate/ledger";
import type { PartitionDirectory } from "../forwarding/partition-directory.ts";

/** The owners of the partitions of several databases, each of which has its own leases. */
export function createShardedPartitionDirectory(
  parts: PerShard<PartitionDirectory>,
): PartitionDirectory {
  if (parts.length === 1) return parts[0];
  return {
    ownerOf: (account) => shardOf(parts, account).ownerOf(account),
    refresh: (account) => shardOf(parts, account).refresh(account),
  };
}

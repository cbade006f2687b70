import { type PerDatabase, partOf } from "../../storage/databases/per-database.ts";
import type { PartitionOwners } from "../forwarding/partition-owners.ts";

/** The owners of the partitions of several databases: each database has its own leases. */
export function partitionOwnersOfAll(parts: PerDatabase<PartitionOwners>): PartitionOwners {
  return {
    ownerOf: (account) => partOf(parts, account).ownerOf(account),
    refresh: (account) => partOf(parts, account).refresh(account),
  };
}

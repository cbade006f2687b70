import { type PerShard, shardOf } from "../../storage/shards/per-shard.ts";
import type { Ownership } from "../ownership.ts";

/** Whether this node decides an account of one of several databases. */
export function shardedOwnership(
  parts: PerShard<Pick<Ownership, "leaseOf">>,
): Pick<Ownership, "leaseOf"> {
  return { leaseOf: (account) => shardOf(parts, account).leaseOf(account) };
}

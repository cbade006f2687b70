import type { Clock, Log } from "@propgate/base";
import { type StorageWatch, watchStorage } from "../storage/databases/storage-watch.ts";
import { type PerShard, perShard } from "../storage/shards/per-shard.ts";
import { type Shards, shardsOf } from "../storage/shards/shards.ts";

/** Wraps each database so that its watch observes every call, and returns the wrapped databases and their watches. */
export function watchDatabases(options: {
  readonly databases: Shards;
  readonly clock: Clock;
  readonly log: Pick<Log, "error" | "info">;
}): { readonly databases: Shards; readonly storage: PerShard<StorageWatch> } {
  const storage = perShard(options.databases.all, (database, number) =>
    watchStorage({ ...options, database, number }),
  );
  return { storage, databases: shardsOf(perShard(storage, (one) => one.database)) };
}

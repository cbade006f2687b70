import type { Clock, Log } from "@propgate/base";
import {
  type PerShard,
  perShard,
  type Shards,
  type StorageWatch,
  shardsOf,
  watchStorage,
} from "@propgate/ledger";

/** The databases with every call observed, and a watch over each. */
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

import type { Clock } from "../../base/clock.ts";
import type { Log } from "../../base/log.ts";
import { type DatabaseGroup, databaseGroup } from "../../storage/databases/database-group.ts";
import { eachPart, type PerDatabase } from "../../storage/databases/per-database.ts";
import { type StorageWatch, watchStorage } from "../../storage/databases/storage-watch.ts";

/** The databases with every call observed, and a watch over each. */
export function watchDatabases(options: {
  readonly databases: DatabaseGroup;
  readonly clock: Clock;
  readonly log: Pick<Log, "error" | "info">;
}): { readonly databases: DatabaseGroup; readonly storage: PerDatabase<StorageWatch> } {
  const storage = eachPart(options.databases.all, (database, number) =>
    watchStorage({ ...options, database, number }),
  );
  return { storage, databases: databaseGroup(eachPart(storage, (one) => one.database)) };
}

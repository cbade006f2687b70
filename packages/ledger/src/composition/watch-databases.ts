import type { Clock, Log } from "@propgate/base";
import type { Database } from "../storage/databases/database.ts";
import {
  CLOCK_SKEW_MAX_MS,
  clockDistanceText,
  measureClockLeadMs,
} from "../storage/databases/database-clock.ts";
import {
  type StorageFault,
  type StorageWatch,
  watchStorage,
} from "../storage/databases/storage-watch.ts";
import { type PerShard, perShard } from "../storage/shards/per-shard.ts";
import { createShards, type Shards } from "../storage/shards/shards.ts";

/** Observes the calls to one of the service's databases, and notices its faults. */
export interface DatabaseWatch extends StorageWatch {
  /** True while the clocks of this database and of the first one differ too much, which also counts as a fault. */
  isClockWrong(): boolean;
}

interface WatchOptions {
  readonly databases: Shards;
  readonly clock: Clock;
  readonly log: Pick<Log, "error" | "info">;
}

/** Wraps each database so that its watch observes every call, and returns the wrapped databases and their watches. */
export function watchDatabases(options: WatchOptions): {
  readonly databases: Shards;
  readonly storage: PerShard<DatabaseWatch>;
} {
  const watches = perShard(options.databases.all, (database, number) =>
    watchStorage({ ...options, database, number }),
  );
  const first = watches[0].database;
  const storage = perShard(watches, (watch, number) =>
    number === 0
      ? { ...watch, isClockWrong: () => false }
      : withClockCheck(watch, { ...options, first, number }),
  );
  return { storage, databases: createShards(perShard(storage, (one) => one.database)) };
}

/** Makes each probe compare the database's clock with the first database's. @rule D13.databaseClock decides */
function withClockCheck(
  watch: StorageWatch,
  {
    first,
    number,
    clock,
    log,
  }: Omit<WatchOptions, "databases"> & { readonly first: Database; readonly number: number },
): DatabaseWatch {
  let wrong: StorageFault | null = null;
  return {
    ...watch,
    fault: () => watch.fault() ?? wrong,
    isClockWrong: () => wrong !== null,
    async probe() {
      await watch.probe();
      const aheadMs = await measureClockLeadMs(watch.database, first);
      const isWrong = Math.abs(aheadMs) > CLOCK_SKEW_MAX_MS;
      if (isWrong === (wrong !== null)) return;
      const reason = `its clock is ${clockDistanceText(aheadMs)} the first database's`;
      wrong = isWrong ? { sinceMs: clock.now(), reason } : null;
      if (isWrong) log.error({ database: number, aheadMs }, "the clock of a database is wrong");
      else log.info({ database: number }, "the clock of the database is right again");
    },
  };
}

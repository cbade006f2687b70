import type { Clock, Log } from "@propgate/base";
import type { UnixMs } from "@propgate/core";
import { createSettingStore } from "../stores/setting-store.ts";
import type { Database, Queryable } from "./database.ts";
import { isDiskFull, isStall, sqlState } from "./database-error.ts";

/** The database is unreliable: requests get 5xx until it works again. */
export interface StorageFault {
  readonly sinceMs: UnixMs;
  /** For the operator: it may name files and addresses. */
  readonly reason: string;
}

/** A database whose calls are observed, and its health. */
export interface StorageWatch {
  /** The database, with every call observed. */
  readonly database: Database;
  /**
   * The present fault; null when the database works. A failed read counts until any call succeeds, a failed write until
   * a write succeeds, and a write for which the disk was too full until that write or a probe for space succeeds. A
   * probe that is slow to answer is a fault too.
   */
  fault(): StorageFault | null;
  /**
   * Probes the database. After a failed write the probe writes too, to find out whether writing works again. After a
   * write for which the disk was too full, it also checks that there is space.
   */
  probe(): Promise<void>;
}

/** The disk is too full for these writes. */
interface FullDisk extends StorageFault {
  /** The statements that failed and have not succeeded since. */
  readonly writes: Set<string>;
}

/** A probe that takes longer counts as a fault. Other statements may take longer, because they may wait for locks. */
const SLOW_MS = 5_000;
const WRITES = /\b(insert into|delete from|update \w+( \w+)? set)\b/i;
/** Errors that a statement or a concurrent one causes: invalid data, violated constraints, failed serialization. */
const STATEMENT_ERROR = /^(22|23|40)...$/;

/** Tracks the database's health by the outcome of every call. */
export function watchStorage(options: {
  readonly database: Database;
  /** The number of this database among the databases of the service. */
  readonly number: number;
  readonly clock: Clock;
  readonly log: Pick<Log, "error" | "info">;
}): StorageWatch {
  const { clock, log, number } = options;
  // A database with a full disk can still be read, so only a write shows that writing works again.
  let reading: StorageFault | null = null;
  let writing: StorageFault | null = null;
  // While tables cannot grow, small writes may still succeed. So only the write that failed, or a probe for space,
  // shows that there is space again.
  let full: FullDisk | null = null;
  let probingSinceMs: UnixMs | null = null;

  const isFaulty = (): boolean => reading !== null || writing !== null || full !== null;
  const failed = (cause: unknown, writes: readonly string[]): void => {
    const reason = reasonOf(cause);
    if (!isFaulty()) log.error({ err: cause, database: number }, "the database fails");
    const since = (earlier: StorageFault | null): UnixMs => earlier?.sinceMs ?? clock.now();
    const write = writes.at(-1);
    if (write === undefined) reading = { sinceMs: since(reading), reason };
    else if (!isDiskFull(cause)) writing = { sinceMs: since(writing), reason };
    else full = { sinceMs: since(full), reason, writes: new Set(full?.writes).add(write) };
  };
  const worked = (writes: readonly string[]): void => {
    const wasFaulty = isFaulty();
    reading = null;
    if (writes.length > 0) writing = null;
    for (const write of writes) full?.writes.delete(write);
    if (full?.writes.size === 0) full = null;
    if (wasFaulty && !isFaulty()) log.info({ database: number }, "the database works again");
  };
  const watched = async <Value>(
    work: (activity: CallActivity) => Promise<Value>,
  ): Promise<Value> => {
    const mine: CallActivity = { writes: [], own: null };
    try {
      const value = await work(mine);
      worked(mine.writes);
      return value;
    } catch (cause) {
      if (cause !== mine.own && !isStatementError(cause)) failed(cause, mine.writes);
      throw cause;
    }
  };
  const database: Database = {
    kind: options.database.kind,
    connections: () => options.database.connections(),
    close: () => options.database.close(),
    query: (text, parameters, preparing) =>
      watched((activity) => {
        if (WRITES.test(text)) activity.writes.push(text);
        return options.database.query(text, parameters, preparing);
      }),
    transaction: (work, limits) =>
      watched((activity) =>
        options.database.transaction((on) => observeWork(on, work, activity), limits),
      ),
  };
  return {
    database,
    fault: () =>
      writing ?? fullDiskFault(full) ?? reading ?? slowProbeFault(probingSinceMs, clock.now()),
    async probe() {
      probingSinceMs = clock.now();
      try {
        const waiting = [...(full?.writes ?? [])];
        // This transaction is not observed: while it fails, the fault keeps the reason of the service's own writes.
        if (waiting.length > 0) await options.database.transaction(probeSpace);
        if (writing === null && full === null) await database.query("select 1", []);
        else await createSettingStore(database).set("storage.probe", String(clock.now()));
        if (waiting.length > 0) worked(waiting);
      } finally {
        probingSinceMs = null;
      }
    },
  };
}

/** A running statement or transaction. */
interface CallActivity {
  /** The statements among its own that write, in order. */
  readonly writes: string[];
  /** An error that the caller's work threw in a transaction; the database is not its cause. */
  own: unknown;
}

/**
 * Writes about half a megabyte to the disk of the tables: a sort that does not fit into 64 kB of memory goes into a
 * file, which the server removes. This needs no further right, and no table grows.
 */
async function probeSpace(transaction: Queryable): Promise<void> {
  await transaction.query("select set_config('work_mem', '64kB', true)", []);
  await transaction.query("select count(*) from generate_series(1, 40000)", []);
}

async function observeWork<Value>(
  transaction: Queryable,
  work: (transaction: Queryable) => Promise<Value>,
  activity: CallActivity,
): Promise<Value> {
  let databaseError: unknown = null;
  const query: Queryable["query"] = async (text, parameters, preparing) => {
    if (WRITES.test(text)) activity.writes.push(text);
    try {
      return await transaction.query(text, parameters, preparing);
    } catch (cause) {
      databaseError = cause;
      throw cause;
    }
  };
  try {
    return await work({ query });
  } catch (cause) {
    if (cause !== databaseError) activity.own = cause;
    throw cause;
  }
}

function isStatementError(cause: unknown): boolean {
  // A lock of another session or a pause of this process is no failure of the database.
  if (isStall(cause)) return true;
  return STATEMENT_ERROR.test(sqlState(cause) ?? "");
}

function fullDiskFault(full: FullDisk | null): StorageFault | null {
  return full === null ? null : { sinceMs: full.sinceMs, reason: full.reason };
}

function slowProbeFault(sinceMs: UnixMs | null, now: UnixMs): StorageFault | null {
  if (sinceMs === null || now - sinceMs < SLOW_MS) return null;
  return { sinceMs, reason: "it has not answered since then" };
}

/** The message of the error. When several addresses were tried, the message of the first address's error. */
function reasonOf(cause: unknown): string {
  if (cause instanceof AggregateError && cause.message === "") return reasonOf(cause.errors[0]);
  return cause instanceof Error ? cause.message : String(cause);
}

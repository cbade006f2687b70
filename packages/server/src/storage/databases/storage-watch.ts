import type { UnixMs } from "@propgate/core";
import type { Clock } from "../../base/clock.ts";
import type { Log } from "../../base/log.ts";
import { createSettingStore } from "../stores/setting-store.ts";
import type { Database, Queryable } from "./database.ts";
import { isStall, sqlState } from "./database-error.ts";

/** The database is unreliable: requests get 5xx until it works again. */
export interface StorageFault {
  readonly sinceMs: UnixMs;
  /** For the operator: it may name files and addresses. */
  readonly reason: string;
}

export interface StorageWatch {
  /** The database, with every call observed. */
  readonly database: Database;
  /** Null when the last call succeeded. */
  fault(): StorageFault | null;
  /** Probes the database; with a write after a failed write, to find out whether it works again. */
  probe(): Promise<void>;
}

/** A longer probe counts as a database that does not answer. Other statements may wait for locks. */
const SLOW_MS = 5_000;
const WRITES = /\b(insert into|delete from|update \w+( \w+)? set)\b/i;
/**
 * Error classes that a statement causes, alone or with a concurrent one: data, constraints, serialization.
 */
const STATEMENT_ERROR = /^(22|23|40)...$/;

/** Tracks the database's health by the outcome of every call. */
export function watchStorage(options: {
  readonly database: Database;
  /** Its number among the databases of the service. */
  readonly number: number;
  readonly clock: Clock;
  readonly log: Pick<Log, "error" | "info">;
}): StorageWatch {
  const { clock, log, number } = options;
  // A full disk can still be read, so only a write shows that writing works again.
  let reading: StorageFault | null = null;
  let writing: StorageFault | null = null;
  let probingSinceMs: UnixMs | null = null;

  const failed = (cause: unknown, isWrite: boolean): void => {
    const reason = reasonOf(cause);
    if (reading === null && writing === null)
      log.error({ err: cause, database: number }, "the database fails");
    const sinceMs = (isWrite ? writing : reading)?.sinceMs ?? clock.now();
    if (isWrite) writing = { sinceMs, reason };
    else reading = { sinceMs, reason };
  };
  const worked = (isWrite: boolean): void => {
    const wasFaulty = reading !== null || writing !== null;
    reading = null;
    if (isWrite) writing = null;
    if (wasFaulty && writing === null) log.info({ database: number }, "the database works again");
  };
  const watched = async <Value>(
    work: (activity: CallActivity) => Promise<Value>,
  ): Promise<Value> => {
    const mine: CallActivity = { writes: false, own: null };
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
    query: (text, parameters) =>
      watched((activity) => {
        activity.writes = WRITES.test(text);
        return options.database.query(text, parameters);
      }),
    transaction: (work, limits) =>
      watched((activity) =>
        options.database.transaction((on) => observedWork(on, work, activity), limits),
      ),
  };
  return {
    database,
    fault: () => writing ?? reading ?? slow(probingSinceMs, clock.now()),
    async probe() {
      probingSinceMs = clock.now();
      try {
        if (writing === null) await database.query("select 1", []);
        else await createSettingStore(database).set("storage.probe", String(clock.now()));
      } finally {
        probingSinceMs = null;
      }
    },
  };
}

/** A running statement or transaction. */
interface CallActivity {
  writes: boolean;
  /** An error that the caller's work threw in a transaction; the database is not its cause. */
  own: unknown;
}

async function observedWork<Value>(
  transaction: Queryable,
  work: (transaction: Queryable) => Promise<Value>,
  activity: CallActivity,
): Promise<Value> {
  let databaseError: unknown = null;
  const query: Queryable["query"] = async (text, parameters) => {
    activity.writes ||= WRITES.test(text);
    try {
      return await transaction.query(text, parameters);
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
  // Another session's lock or a pause of this process does not mean that the database fails.
  if (isStall(cause)) return true;
  return STATEMENT_ERROR.test(sqlState(cause) ?? "");
}

function slow(sinceMs: UnixMs | null, now: UnixMs): StorageFault | null {
  if (sinceMs === null || now - sinceMs < SLOW_MS) return null;
  return { sinceMs, reason: "it has not answered since then" };
}

/** The error of the first of several tried addresses. */
function reasonOf(cause: unknown): string {
  if (cause instanceof AggregateError && cause.message === "") return reasonOf(cause.errors[0]);
  return cause instanceof Error ? cause.message : String(cause);
}

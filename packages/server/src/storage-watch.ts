import type { UnixMs } from "@propgate/core";
import type { Clock } from "./clock.ts";
import type { Log } from "./log.ts";
import type { Database, Queryable } from "./storage/database.ts";
import { sqlState } from "./storage/database-error.ts";
import { settingStore } from "./storage/stores/setting-store.ts";

/** The database cannot be relied on: requests are answered with 5xx until it is well. */
export interface StorageFault {
  readonly sinceMs: UnixMs;
  /** For the operator: it may name files and addresses. */
  readonly reason: string;
}

export interface StorageWatch {
  /** The database itself; what is asked of it is seen. */
  readonly database: Database;
  /** Null: what was last asked for was carried out. */
  fault(): StorageFault | null;
  /** Writes something when writing has failed, to find out whether it works again. */
  probe(): Promise<void>;
}

/** A statement that takes longer says that the database does not answer. */
const SLOW_MS = 5_000;
const WRITES = /\b(insert into|delete from|update \w+( \w+)? set)\b/i;
/** What a statement itself may be refused for, or lose to another one: data, constraints, races. */
const OF_THE_STATEMENT = /^(22|23|40)...$/;

/** Keeps in mind how the database is, by what becomes of everything that is asked of it. */
export function watchStorage(need: {
  readonly database: Database;
  readonly clock: Clock;
  readonly log: Pick<Log, "error" | "info">;
}): StorageWatch {
  const { clock, log } = need;
  // A disk that is full can still be read, so only a write shows that writing works again.
  let reading: StorageFault | null = null;
  let writing: StorageFault | null = null;
  const underWay = new Set<Seen>();

  const failed = (cause: unknown, isWrite: boolean): void => {
    const reason = reasonOf(cause);
    if (reading === null && writing === null) log.error({ err: cause }, "the database fails");
    const sinceMs = (isWrite ? writing : reading)?.sinceMs ?? clock.now();
    if (isWrite) writing = { sinceMs, reason };
    else reading = { sinceMs, reason };
  };
  const worked = (isWrite: boolean): void => {
    const wasFaulty = reading !== null || writing !== null;
    reading = null;
    if (isWrite) writing = null;
    if (wasFaulty && writing === null) log.info({}, "the database is well again");
  };
  const watched = async <Value>(work: (seen: Seen) => Promise<Value>): Promise<Value> => {
    const mine: Seen = { sinceMs: clock.now(), writes: false, own: null };
    underWay.add(mine);
    try {
      const value = await work(mine);
      worked(mine.writes);
      return value;
    } catch (cause) {
      if (cause !== mine.own && !isOfTheStatement(cause)) failed(cause, mine.writes);
      throw cause;
    } finally {
      underWay.delete(mine);
    }
  };
  const database: Database = {
    kind: need.database.kind,
    close: () => need.database.close(),
    query: (text, parameters) =>
      watched((seen) => {
        seen.writes = WRITES.test(text);
        return need.database.query(text, parameters);
      }),
    transaction: (work) =>
      watched((seen) => need.database.transaction((on) => workSeen(on, work, seen))),
  };
  return {
    database,
    fault: () => writing ?? reading ?? slowest([...underWay], clock.now()),
    async probe() {
      if (writing === null) return;
      await settingStore(database).set("storage.probe", String(clock.now()));
    },
  };
}

/** A statement or a transaction that is under way. */
interface Seen {
  readonly sinceMs: UnixMs;
  writes: boolean;
  /** A fault of the work in a transaction, which says nothing of the database. */
  own: unknown;
}

async function workSeen<Value>(
  transaction: Queryable,
  work: (transaction: Queryable) => Promise<Value>,
  seen: Seen,
): Promise<Value> {
  let ofTheDatabase: unknown = null;
  const query: Queryable["query"] = async (text, parameters) => {
    seen.writes ||= WRITES.test(text);
    try {
      return await transaction.query(text, parameters);
    } catch (cause) {
      ofTheDatabase = cause;
      throw cause;
    }
  };
  try {
    return await work({ query });
  } catch (cause) {
    if (cause !== ofTheDatabase) seen.own = cause;
    throw cause;
  }
}

function isOfTheStatement(cause: unknown): boolean {
  return OF_THE_STATEMENT.test(sqlState(cause) ?? "");
}

function slowest(
  underWay: readonly { readonly sinceMs: UnixMs }[],
  now: UnixMs,
): StorageFault | null {
  const late = underWay.find(({ sinceMs }) => now - sinceMs >= SLOW_MS);
  if (late === undefined) return null;
  return { sinceMs: late.sinceMs, reason: "it has not answered since" };
}

/** Of several addresses that were tried the first one's. */
function reasonOf(cause: unknown): string {
  if (cause instanceof AggregateError && cause.message === "") return reasonOf(cause.errors[0]);
  return cause instanceof Error ? cause.message : String(cause);
}

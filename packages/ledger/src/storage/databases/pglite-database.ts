import { fsyncSync } from "node:fs";
import { PGlite } from "@electric-sql/pglite";
import { createSerialQueue } from "@propgate/base";
import type { Database, Queryable } from "./database.ts";
import { DatabaseUnusable } from "./database-error.ts";
import { databaseFolder, makeDataFolder, requireIntactFolder } from "./database-folder.ts";
import { lockFolder } from "./folder-lock.ts";
import { createPgliteSession, type PgliteSession } from "./pglite-session.ts";
import { DURABLE_SETTINGS, SyncedFileSystem, type SyncFile } from "./synced-file-system.ts";

/**
 * Settings for less memory. The buffers are an eighth of PGlite's default and hold the pages in use;
 * `embeddedMaintenanceJobs` keeps the log within its limit.
 */
const MEMORY_SETTINGS = ["shared_buffers=16MB", "max_wal_size=128MB"] as const;
/**
 * A tenth of the usual sample of a table for its statistics. A small sample is enough, because statements find rows by
 * key, and all other statements wait while a table is sampled.
 */
const SAMPLE_SETTING = "default_statistics_target=10";

/** The minimum time between two attempts to reopen a stopped database. */
const REOPEN_AFTER_MS = 5_000;

/** Options that only tests set: another sync of files, and a shorter time between two attempts to reopen. */
export interface FolderOptions {
  readonly sync?: SyncFile;
  readonly reopenAfterMs?: number;
}

/**
 * PostgreSQL inside this process, on a folder that is locked against other processes. Every commit is synced to the
 * disk before it is answered. When the disk fails, the database stops, as a server would. A later call reopens it when
 * the disk works again, with every answered commit.
 * @throws DatabaseUnusable when the folder is in use, damaged or of another program
 */
export async function openPgliteFolder(
  dataDir: string,
  options: FolderOptions = {},
): Promise<Database> {
  const { sync = fsyncSync, reopenAfterMs = REOPEN_AFTER_MS } = options;
  makeDataFolder(dataDir);
  const lock = lockFolder(dataDir);
  try {
    const folder = databaseFolder(dataDir);
    const opened = await openInFolder(folder.path, sync);
    if (folder.isNew) folder.markReady();
    const reopen = () => openInFolder(requireIntactFolder(dataDir), sync);
    return createPgliteDatabase(opened, { reopen, reopenAfterMs, onClose: () => lock.release() });
  } catch (cause) {
    lock.release();
    throw cause;
  }
}

/** An empty database in memory, for the sandbox. */
export async function openPgliteMemory(): Promise<Database> {
  const pglite = await PGlite.create({
    dataDir: "memory://",
    startParams: [...PGlite.defaultStartParams, ...asArguments(MEMORY_SETTINGS)],
  });
  return createPgliteDatabase(startPgliteSession(pglite));
}

/** A database that works until it is closed or its disk fails. */
export interface OpenedPglite {
  readonly pglite: PGlite;
  readonly session: PgliteSession;
  /** Releases the files of a stopped database. */
  readonly abandon: () => void;
}

/** Begins the session of a PGlite that was just created. */
export function startPgliteSession(pglite: PGlite, abandon = (): void => undefined): OpenedPglite {
  return { pglite, session: createPgliteSession(pglite), abandon };
}

async function openInFolder(path: string, sync: SyncFile): Promise<OpenedPglite> {
  const whenDurable = PGlite.defaultStartParams.filter((argument) => argument !== "-F");
  const files = new SyncedFileSystem(path, sync);
  try {
    const pglite = await PGlite.create({
      fs: files,
      startParams: [
        ...whenDurable,
        ...asArguments([...DURABLE_SETTINGS, ...MEMORY_SETTINGS, SAMPLE_SETTING]),
      ],
    });
    return startPgliteSession(pglite, () => files.abandon());
  } catch (cause) {
    files.abandon();
    throw new DatabaseUnusable(
      `The database in ${path} does not open; it may be damaged. Restore the folder from a backup.`,
      { cause },
    );
  }
}

/** Makes a database from PGlite's only connection, which transactions and single statements use one after another. */
export function createPgliteDatabase(
  first: OpenedPglite,
  life: {
    /** Reopens a stopped database. When absent, the database stays stopped. */
    readonly reopen?: () => Promise<OpenedPglite>;
    readonly reopenAfterMs?: number;
    readonly onClose?: () => void;
  } = {},
): Database {
  const turns = createSerialQueue();
  let opened = first;
  let isPaused = false;
  let closed: Promise<void> | null = null;
  let taken = 0;
  let waits = 0;
  /** Runs the work on the one connection, after all work that was passed in before. */
  const onConnection = async <Value>(
    work: (on: PgliteSession) => Promise<Value>,
  ): Promise<Value> => {
    if (taken > 0) waits += 1;
    taken += 1;
    try {
      return await turns.run(async () => work(await alive()));
    } finally {
      taken -= 1;
    }
  };

  const pause = (): void => {
    isPaused = true;
    setTimeout(() => {
      isPaused = false;
    }, life.reopenAfterMs ?? 0).unref();
  };
  /** The present session, or a new one after the database was reopened. Statements on a stopped session throw. */
  const alive = async (): Promise<PgliteSession> => {
    if (!opened.session.isStopped || life.reopen === undefined || isPaused) return opened.session;
    opened.abandon();
    pause();
    opened = await life.reopen();
    return opened.session;
  };

  return {
    kind: "pglite",
    query: (text, parameters, preparing) =>
      onConnection((session) => session.query(text, parameters, preparing)),
    transaction: (work) => onConnection((session) => runTransaction(session, work)),
    connections: () => ({
      inUse: Math.min(taken, 1),
      idle: taken === 0 ? 1 : 0,
      waiting: Math.max(taken - 1, 0),
      waits,
    }),
    close() {
      closed ??= turns
        .run(async () => {
          if (opened.session.isStopped) opened.abandon();
          else await opened.pglite.close();
        })
        .finally(life.onClose);
      return closed;
    },
  };
}

async function runTransaction<Value>(
  session: PgliteSession,
  work: (transaction: Queryable) => Promise<Value>,
): Promise<Value> {
  await session.query("begin");
  try {
    const value = await work(session);
    await session.query("commit");
    return value;
  } catch (cause) {
    // A stopped database cannot roll back, and its error would hide the cause.
    if (!session.isStopped) await session.query("rollback");
    throw cause;
  }
}

function asArguments(settings: readonly string[]): string[] {
  return settings.flatMap((setting) => ["-c", setting]);
}

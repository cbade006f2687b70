import { fsyncSync } from "node:fs";
import { PGlite } from "@electric-sql/pglite";
import type { Database, Queryable } from "./database.ts";
import { DatabaseUnusable } from "./database-error.ts";
import { databaseFolder, makeDataFolder } from "./database-folder.ts";
import { lockFolder } from "./folder-lock.ts";
import { type PgliteSession, pgliteSession } from "./pglite-session.ts";
import { DURABLE_SETTINGS, SyncedFileSystem, type SyncFile } from "./synced-file-system.ts";
import { createTurns } from "./turns.ts";

/** Enough for the pages that are in use; PGlite's own default holds eight times as much memory. */
const MEMORY_SETTINGS: readonly string[] = ["shared_buffers=16MB"];

/**
 * PostgreSQL inside this process, on a folder that no other process may open meanwhile. Every
 * commit is synced to the disk before it is answered.
 * @throws DatabaseUnusable when the folder is in use, damaged or not ours
 */
export async function openPgliteFolder(
  dataDir: string,
  sync: SyncFile = fsyncSync,
): Promise<Database> {
  makeDataFolder(dataDir);
  const lock = lockFolder(dataDir);
  try {
    const folder = databaseFolder(dataDir);
    const pglite = await createOn(folder.path, sync);
    if (folder.isNew) folder.markReady();
    return pgliteDatabase(pglite, () => lock.release());
  } catch (cause) {
    lock.release();
    throw cause;
  }
}

/** A database that is gone when the process ends, for tests and the sandbox; starts from an image if given. */
export async function openPgliteMemory(image: Blob | null = null): Promise<Database> {
  const pglite = await PGlite.create({
    dataDir: "memory://",
    startParams: [...PGlite.defaultStartParams, ...asArguments(MEMORY_SETTINGS)],
    ...(image === null ? {} : { loadDataDir: image }),
  });
  return pgliteDatabase(pglite, () => undefined);
}

async function createOn(path: string, sync: SyncFile): Promise<PGlite> {
  const whenDurable = PGlite.defaultStartParams.filter((argument) => argument !== "-F");
  try {
    return await PGlite.create({
      fs: new SyncedFileSystem(path, sync),
      startParams: [...whenDurable, ...asArguments([...DURABLE_SETTINGS, ...MEMORY_SETTINGS])],
    });
  } catch (cause) {
    throw new DatabaseUnusable(
      `The database in ${path} does not open; it may be damaged. Restore the folder from a backup.`,
      { cause },
    );
  }
}

/** Has one connection: whole transactions and single statements take turns. */
export function pgliteDatabase(pglite: PGlite, onClose: () => void): Database {
  const session = pgliteSession(pglite);
  const turns = createTurns();
  let closed: Promise<void> | null = null;
  return {
    kind: "pglite",
    query: (text, parameters) => turns.take(() => session.query(text, parameters)),
    transaction: (work) => turns.take(() => carryOut(session, work)),
    close() {
      closed ??= turns.take(() => end(pglite, session)).finally(onClose);
      return closed;
    },
  };
}

async function carryOut<Value>(
  session: PgliteSession,
  work: (transaction: Queryable) => Promise<Value>,
): Promise<Value> {
  await session.query("begin");
  try {
    const value = await work(session);
    await session.query("commit");
    return value;
  } catch (cause) {
    // What has stopped can take nothing back; the first cause is the one that tells why.
    if (!session.isStopped) await session.query("rollback");
    throw cause;
  }
}

async function end(pglite: PGlite, session: PgliteSession): Promise<void> {
  if (!session.isStopped) await pglite.close();
}

function asArguments(settings: readonly string[]): string[] {
  return settings.flatMap((setting) => ["-c", setting]);
}

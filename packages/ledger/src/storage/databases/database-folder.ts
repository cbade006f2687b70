import {
  closeSync,
  existsSync,
  fsyncSync,
  openSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { createOwnerOnlyFolder } from "@propgate/base";
import { DatabaseUnusable } from "./database-error.ts";

/** PostgreSQL's major version inside the pinned PGlite; another one cannot read the files. */
const EMBEDDED_MAJOR = "18";

/** The folder of the embedded database, within the data folder. */
export interface DatabaseFolder {
  readonly path: string;
  /** True when there is no database in the folder yet. */
  readonly isNew: boolean;
  /** Syncs everything that the first start wrote and marks the folder as complete. */
  markReady(): void;
}

/**
 * Finds the folder for the database of this data folder. The files of an interrupted first start are removed, so that
 * it begins again. The caller holds the folder's lock.
 * @throws DatabaseUnusable when the files are damaged, of another version or of another program
 */
export function databaseFolder(dataDir: string): DatabaseFolder {
  const path = join(dataDir, "postgres");
  const starting = join(dataDir, "postgres.starting");
  const ready = readyMark(dataDir);
  const markReady = (): void => {
    syncTree(path);
    writeSynced(ready, `${EMBEDDED_MAJOR}\n`);
    rmSync(starting, { force: true });
    syncFile(dataDir);
  };
  if (existsSync(ready)) {
    checkComplete(path);
    return { path, isNew: false, markReady };
  }
  if (existsSync(path) && !existsSync(starting)) {
    throw new DatabaseUnusable(
      `${path} contains files of another program. Choose another data folder, or move them.`,
    );
  }
  writeSynced(starting, "");
  rmSync(path, { recursive: true, force: true });
  return { path, isNew: true, markReady };
}

/** True when a first start has completed in the data folder. */
export function isReadyFolder(dataDir: string): boolean {
  return existsSync(readyMark(dataDir));
}

function readyMark(dataDir: string): string {
  return join(dataDir, "postgres.ready");
}

/**
 * The folder of a database that was open before. It is never created again, because an empty database would hide the
 * loss of all accounts.
 * @throws DatabaseUnusable when the database is gone or damaged
 */
export function requireIntactFolder(dataDir: string): string {
  const path = join(dataDir, "postgres");
  if (!isReadyFolder(dataDir)) {
    throw new DatabaseUnusable(`The database in ${path} is gone. Restore it from a backup.`);
  }
  checkComplete(path);
  return path;
}

/**
 * Creates a missing data folder, readable only by its owner.
 * @throws DatabaseUnusable when it cannot be created, or is the folder of a PostgreSQL server
 */
export function makeDataFolder(dataDir: string): void {
  try {
    createOwnerOnlyFolder(dataDir);
  } catch (cause) {
    throw new DatabaseUnusable(`The data folder ${dataDir} cannot be created: ${reason(cause)}`, {
      cause,
    });
  }
  if (existsSync(join(dataDir, "PG_VERSION"))) {
    throw new DatabaseUnusable(
      `${dataDir} is the folder of a PostgreSQL server. Choose another data folder.`,
    );
  }
}

function checkComplete(path: string): void {
  const file = join(path, "PG_VERSION");
  if (!existsSync(file)) {
    throw new DatabaseUnusable(
      `The database in ${path} is damaged: PG_VERSION is missing. Restore the folder from a backup.`,
    );
  }
  const major = readFileSync(file, "utf8").trim();
  if (major === EMBEDDED_MAJOR) return;
  throw new DatabaseUnusable(
    `The database in ${path} was created by PostgreSQL ${major}; this program reads ${EMBEDDED_MAJOR}.`,
  );
}

function syncTree(folder: string): void {
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) syncTree(path);
    else if (entry.isFile()) syncFile(path);
  }
  syncFile(folder);
}

function syncFile(path: string): void {
  const file = openSync(path, statSync(path).isDirectory() ? "r" : "r+");
  try {
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
}

function writeSynced(path: string, content: string): void {
  writeFileSync(path, content, { mode: 0o600, flush: true });
}

function reason(cause: unknown): string {
  return cause instanceof Error ? cause.message : String(cause);
}

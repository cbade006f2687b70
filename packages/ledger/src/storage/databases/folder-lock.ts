import {
  closeSync,
  linkSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  writeSync,
} from "node:fs";
import { join } from "node:path";
import { DatabaseUnusable } from "./database-error.ts";
import { hasCode } from "./error-code.ts";
import { isRunning, ownProcessIdentity, parseProcessIdentity } from "./process-identity.ts";

/** The lock of a database folder, which this process holds. */
export interface FolderLock {
  release(): void;
}

/**
 * Locks a database folder against a second process. PGlite itself has no lock, and two processes would silently lose
 * each other's rows. The lock of a dead process is taken over, and so is a lock that its process did not finish
 * writing. The start time in the lock shows whether the process number now belongs to another process.
 * @throws DatabaseUnusable when another process has the lock
 */
export function lockFolder(folder: string): FolderLock {
  const path = join(folder, "lock");
  const mine = ownProcessIdentity();
  if (!create(path, mine)) {
    const theirs = read(path);
    const holder = theirs === null ? null : parseProcessIdentity(theirs);
    if (holder !== null && isRunning(holder)) throw folderInUseError(folder, holder.pid);
    removeStale(path, theirs);
    if (!create(path, mine))
      throw folderInUseError(folder, parseProcessIdentity(read(path) ?? "")?.pid ?? null);
  }
  return { release: () => rmSync(path, { force: true }) };
}

function create(path: string, content: string): boolean {
  try {
    const file = openSync(path, "wx", 0o600);
    writeSync(file, content);
    closeSync(file);
    return true;
  } catch (cause) {
    if (hasCode(cause, "EEXIST")) return false;
    throw cause;
  }
}

/**
 * Removes a stale lock. Two processes may find the same stale lock. If one of them has already replaced it, the other
 * moves the new lock away and then puts it back.
 */
function removeStale(path: string, stale: string | null): void {
  const aside = `${path}.${process.pid}`;
  try {
    renameSync(path, aside);
    if (read(aside) !== stale) linkSync(aside, path);
    rmSync(aside, { force: true });
  } catch (cause) {
    if (!hasCode(cause, "ENOENT") && !hasCode(cause, "EEXIST")) throw cause;
  }
}

function read(path: string): string | null {
  try {
    return readFileSync(path, "utf8");
  } catch (cause) {
    if (hasCode(cause, "ENOENT")) return null;
    throw cause;
  }
}

function folderInUseError(folder: string, pid: number | null): DatabaseUnusable {
  const who = pid === null ? "another process" : `process ${pid}`;
  return new DatabaseUnusable(
    `The data folder ${folder} is in use by ${who}. Stop it first, or choose another folder.`,
  );
}

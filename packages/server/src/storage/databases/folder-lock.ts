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

export interface FolderLock {
  release(): void;
}

interface Holder {
  readonly pid: number;
  /** When that process started, in clock ticks since boot; null where the platform does not report it. */
  readonly startedAt: string | null;
}

/**
 * Locks a database folder against a second process, which PGlite does not: two processes would
 * silently lose each other's rows. The lock of a dead process is taken over; a reused process
 * number is recognized by its start time.
 */
export function lockFolder(folder: string): FolderLock {
  const path = join(folder, "lock");
  const mine = JSON.stringify({ pid: process.pid, startedAt: startOf(process.pid) });
  if (!create(path, mine)) {
    const theirs = read(path);
    const holder = theirs === null ? null : holderIn(theirs);
    if (holder !== null && isRunning(holder)) throw inUse(folder, holder.pid);
    removeStale(path, theirs);
    if (!create(path, mine)) throw inUse(folder, holderIn(read(path) ?? "")?.pid ?? null);
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

/** Two processes may find the same stale lock: one that moved a fresh lock away puts it back. */
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

function holderIn(content: string): Holder | null {
  try {
    const value: unknown = JSON.parse(content);
    if (typeof value !== "object" || value === null) return null;
    if (!("pid" in value) || typeof value.pid !== "number") return null;
    const startedAt = "startedAt" in value ? value.startedAt : null;
    return { pid: value.pid, startedAt: typeof startedAt === "string" ? startedAt : null };
  } catch {
    // Incomplete: its process died before it opened the database.
    return null;
  }
}

function isRunning({ pid, startedAt }: Holder): boolean {
  try {
    process.kill(pid, 0);
  } catch (cause) {
    if (hasCode(cause, "ESRCH")) return false;
  }
  const now = statusOf(pid);
  if (now === null) return true;
  // A killed process keeps its number until its parent reaps it, but has no open files.
  if (ENDED.has(now.state)) return false;
  return startedAt === null || now.startedAt === startedAt;
}

/** Zombie and dead, as Linux names them. */
const ENDED: ReadonlySet<string> = new Set(["Z", "X", "x"]);

function startOf(pid: number): string | null {
  return statusOf(pid)?.startedAt ?? null;
}

/** From `/proc`, which Linux has: the fields behind the name in parentheses. Null elsewhere. */
function statusOf(pid: number): { readonly state: string; readonly startedAt: string } | null {
  try {
    const boot = readFileSync("/proc/sys/kernel/random/boot_id", "utf8").trim();
    const status = readFileSync(`/proc/${pid}/stat`, "utf8");
    const fields = status.slice(status.lastIndexOf(")") + 2).split(" ");
    const [state] = fields;
    const ticks = fields[19];
    return state === undefined || ticks === undefined
      ? null
      : { state, startedAt: `${boot}:${ticks}` };
  } catch {
    return null;
  }
}

function inUse(folder: string, pid: number | null): DatabaseUnusable {
  const who = pid === null ? "another process" : `process ${pid}`;
  return new DatabaseUnusable(
    `The data folder ${folder} is in use by ${who}. Stop it first, or choose another folder.`,
  );
}

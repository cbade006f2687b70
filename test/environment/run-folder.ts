import { execFileSync } from "node:child_process";
import { mkdirSync, readdirSync, rmSync, statfsSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

const PREFIX = "propgate-run-";
const MEMORY = "/dev/shm";
/** More than all folders of a whole run together. */
const ROOM = 4 * 1024 ** 3;

/**
 * The temporary folder of this run, in memory where that is possible: a new database writes a thousand files and
 * syncs each, and on a disk the tests would mostly wait for that. Removed when the run ends.
 */
export function makeRunFolder(): string {
  const place = isUsable(MEMORY) ? MEMORY : tmpdir();
  for (const name of readdirSync(place)) {
    if (isOfDeadRun(name)) rmSync(join(place, name), { recursive: true, force: true });
  }
  const folder = join(place, `${PREFIX}${process.pid}`);
  mkdirSync(folder, { recursive: true });
  process.once("exit", () => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** Whether it belongs to a run that was killed before it could remove it. */
function isOfDeadRun(name: string): boolean {
  if (!name.startsWith(PREFIX)) return false;
  try {
    process.kill(Number(name.slice(PREFIX.length)), 0);
    return false;
  } catch (cause) {
    return cause instanceof Error && "code" in cause && cause.code === "ESRCH";
  }
}

/** Whether it has room and runs programs: some systems forbid it there, and tests install commands. */
function isUsable(folder: string): boolean {
  const trial = join(folder, `propgate-trial-${process.pid}`);
  try {
    const { bavail, bsize } = statfsSync(folder);
    if (bavail * bsize < ROOM) return false;
    mkdirSync(trial);
    const program = join(trial, "program");
    writeFileSync(program, "#!/bin/sh\n", { mode: 0o700 });
    execFileSync(program);
    return true;
  } catch {
    return false;
  } finally {
    rmSync(trial, { recursive: true, force: true });
  }
}

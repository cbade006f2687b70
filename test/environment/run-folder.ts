import { execFileSync } from "node:child_process";
import { mkdirSync, readdirSync, rmSync, statfsSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { RUN_NAME, runnerPidOf } from "./run-name.ts";
import { killProcessesOf } from "./run-processes.ts";

const MEMORY = "/dev/shm";
/** The free space in bytes that the folder needs: more than all folders of a whole run take together. */
const FREE_BYTES_MIN = 4 * 1024 ** 3;

/**
 * Makes the temporary folder of this run, in memory where that is possible: a new database writes a thousand files and
 * syncs each, and on a disk the tests would mostly wait for that. When the run ends, also by a signal, the folder is
 * removed and the processes that the tests left behind are killed. Removes the folders of dead runs, too.
 */
export function makeRunFolder(): string {
  const place = isUsable(MEMORY) ? MEMORY : tmpdir();
  for (const name of readdirSync(place)) {
    if (isOfDeadRun(name)) clear(place, name);
  }
  const folder = join(place, RUN_NAME);
  mkdirSync(folder, { recursive: true });
  process.once("exit", () => clear(place, RUN_NAME));
  return folder;
}

function clear(place: string, run: string): void {
  killProcessesOf(run);
  rmSync(join(place, run), { recursive: true, force: true });
}

/** Whether a folder belongs to a run that was killed before it could remove the folder. */
function isOfDeadRun(name: string): boolean {
  const runner = runnerPidOf(name);
  if (runner === null) return false;
  try {
    process.kill(runner, 0);
    return false;
  } catch (cause) {
    return cause instanceof Error && "code" in cause && cause.code === "ESRCH";
  }
}

/**
 * Whether a folder has enough free space and allows programs in it to run. Some systems forbid that in memory, and
 * tests install commands.
 */
function isUsable(folder: string): boolean {
  const trial = join(folder, `propgate-trial-${process.pid}`);
  try {
    const { bavail, bsize } = statfsSync(folder);
    if (bavail * bsize < FREE_BYTES_MIN) return false;
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

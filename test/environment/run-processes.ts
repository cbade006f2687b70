import { readdirSync, readFileSync } from "node:fs";
import { runNameOf } from "./run-name.ts";

export interface RunProcess {
  readonly pid: number;
  readonly command: string;
}

/**
 * The processes that the tests of this run started and that are still running, recognized by the run's temporary folder
 * in `TMPDIR`. The runner's own workers have that folder too, but they are its children and are left out. Empty on
 * systems without /proc.
 */
export function processesOf(run: string): readonly RunProcess[] {
  return numbersIn("/proc").flatMap((pid) => {
    try {
      if (!isOfRun(pid, run) || parentOf(pid) === process.pid) return [];
      return [{ pid, command: stringsIn(pid, "cmdline").join(" ").trim() }];
    } catch {
      // The process has ended meanwhile, or belongs to another user.
      return [];
    }
  });
}

export function killProcessesOf(run: string): void {
  for (const { pid } of processesOf(run)) {
    try {
      process.kill(pid, "SIGKILL");
    } catch {
      // The process has ended meanwhile.
    }
  }
}

function isOfRun(pid: number, run: string): boolean {
  const folder = stringsIn(pid, "environ").find((variable) => variable.startsWith("TMPDIR="));
  return folder !== undefined && runNameOf(folder) === run;
}

function parentOf(pid: number): number {
  const [, , parent] = /\) (\S) (\d+) /.exec(readFileSync(`/proc/${pid}/stat`, "utf8")) ?? [];
  return Number(parent);
}

function stringsIn(pid: number, file: "cmdline" | "environ"): readonly string[] {
  return readFileSync(`/proc/${pid}/${file}`, "utf8").split("\0");
}

function numbersIn(folder: string): readonly number[] {
  try {
    return readdirSync(folder)
      .filter((name) => /^\d+$/.test(name))
      .map(Number);
  } catch {
    return [];
  }
}

import { type ChildProcess, spawn } from "node:child_process";
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

/** A program that runs in a process of its own. */
export interface ChildProgram {
  /** The first line that the process printed. */
  readonly line: string;
  /** The highest resident memory that the process has had, in MB; NaN where there is no /proc. */
  peakMb(): number;
  /** The processor time that all threads of the process have used; NaN where there is no /proc. */
  cpuMs(): number;
  signal(name: NodeJS.Signals): void;
  /** Resolves with the whole standard output of the process when it has ended. */
  readonly ended: Promise<string>;
  stop(): Promise<void>;
}

/** The milliseconds of a clock tick, the unit of processor time in /proc/PID/stat. */
const MS_PER_TICK = 10;

/** Starts a program of this folder in a process of its own and waits for its first line. */
export function startChildProgram(
  file: string,
  words: readonly string[],
  environment: Readonly<Record<string, string>> = {},
): Promise<ChildProgram> {
  const path = fileURLToPath(new URL(file, import.meta.url));
  const child: ChildProcess = spawn(
    process.execPath,
    ["--conditions=@propgate/source", path, ...words],
    { stdio: ["ignore", "pipe", "inherit"], env: { PATH: process.env.PATH, ...environment } },
  );
  const gone = new Promise<void>((resolve) => child.once("exit", () => resolve()));
  const stop = async (): Promise<void> => {
    child.kill("SIGKILL");
    await gone;
  };
  return new Promise((resolve, reject) => {
    let said = "";
    child.stdout?.on("data", (chunk: Buffer) => {
      said += chunk.toString();
      const end = said.indexOf("\n");
      if (end !== -1) {
        resolve({
          line: said.slice(0, end),
          peakMb: () => peakMbOf(child.pid),
          cpuMs: () => processCpuMs(child.pid),
          ended: gone.then(() => said),
          signal: (name) => void child.kill(name),
          stop,
        });
      }
    });
    child.once("exit", (code) =>
      reject(new Error(`${file} ended with ${code} before it was ready`)),
    );
  });
}

/** The processor time of a process of this machine; NaN where there is no /proc. */
export function processCpuMs(pid: number | undefined): number {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
    // The name of the program may contain spaces, so the fields are counted from the bracket after it.
    const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
    return (Number(fields[11]) + Number(fields[12])) * MS_PER_TICK;
  } catch {
    return Number.NaN;
  }
}

function peakMbOf(pid: number | undefined): number {
  try {
    const text = readFileSync(`/proc/${pid}/status`, "utf8");
    return Number(/VmHWM:\s+(\d+) kB/.exec(text)?.[1]) / 1024;
  } catch {
    return Number.NaN;
  }
}

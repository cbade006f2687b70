import { spawn } from "node:child_process";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import type { FaultKind } from "./faults.ts";
import type { SimulationResult } from "./run-simulation.ts";

/** The seeds that one process runs. It gets them as JSON in its only argument. */
export interface SeedPlan {
  readonly seeds: readonly number[];
  readonly steps: number;
  readonly kinds: readonly FaultKind[];
  /** The number of databases; 1 by default. */
  readonly databases?: number;
  readonly losesCommits?: boolean;
}

/** A process ends after this many seeds, which frees the memory of their databases. */
const SEEDS_PER_PROCESS = 10;

/**
 * Runs the seeds in processes. Each worker starts one process after the other, each for the next few seeds, until no
 * seed is left.
 */
export async function runSeedsInProcesses(
  plan: SeedPlan & { readonly workers: number },
  take: (run: SimulationResult) => void,
): Promise<void> {
  const { workers, seeds, ...common } = plan;
  const left = [...seeds];
  const work = async (): Promise<void> => {
    while (left.length > 0) {
      await runSeedsInProcess({ ...common, seeds: left.splice(0, SEEDS_PER_PROCESS) }, take);
    }
  };
  await Promise.all(Array.from({ length: workers }, work));
}

/**
 * Runs the seeds in one new process, and calls `take` with each run. @throws when the process ends before the last
 * seed.
 */
export async function runSeedsInProcess(
  plan: SeedPlan,
  take: (run: SimulationResult) => void,
): Promise<void> {
  const script = fileURLToPath(new URL("./run-seeds.ts", import.meta.url));
  const child = spawn(
    process.execPath,
    ["--conditions=@propgate/source", script, JSON.stringify(plan)],
    { stdio: ["ignore", "pipe", "inherit"] },
  );
  const ended = new Promise<number | null>((resolve) => child.on("close", resolve));
  let runs = 0;
  for await (const line of createInterface({ input: child.stdout })) {
    runs += 1;
    take(JSON.parse(line) as SimulationResult);
  }
  const code = await ended;
  if (runs === plan.seeds.length) return;
  const [first] = plan.seeds;
  throw new Error(`the process for the seeds from ${first} ended with ${code} after ${runs} runs`);
}

import type { SeedPlan } from "./run-in-processes.ts";
import { runSimulation } from "./run-simulation.ts";

/** A process of `run-in-processes.ts`. It runs its seeds and writes each run as a line of JSON. */
const plan = JSON.parse(process.argv[2] ?? "") as SeedPlan;
for (const seed of plan.seeds) {
  const run = await runSimulation({ ...plan, seed, faults: plan.kinds });
  process.stdout.write(`${JSON.stringify(run)}\n`);
}

import { spawn } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { createInterface } from "node:readline";
import { parseArgs } from "node:util";
import { type FaultKind, parseFaultKinds } from "../test/simulation/faults.ts";
import { commandOf, reportOf, totalOf } from "../test/simulation/report.ts";
import { runSimulation, type SimulationRun } from "../test/simulation/run-simulation.ts";

/**
 * `npm run simulate -- --seed 1 --steps 5000 --seeds 20`: random days of two nodes on one database with faults of all
 * kinds, repeatable by their seed. Ends with 1 when a promise was not kept.
 */
const USAGE = `npm run simulate -- [options]
  --seed N       the first seed (1)
  --seeds K      how many seeds, from N on (1)
  --steps M      steps of each run (5000)
  --faults WHAT  none, all, or some of crash,storage,network,clock,prices (all)
  --workers W    processes that share the seeds (1)
  --json FILE    writes all runs there
  --trace FILE   writes the history of the run there, line by line; for one seed
`;

const { values } = parseArgs({
  options: {
    seed: { type: "string", default: "1" },
    seeds: { type: "string", default: "1" },
    steps: { type: "string", default: "5000" },
    faults: { type: "string", default: "all" },
    workers: { type: "string", default: "1" },
    json: { type: "string" },
    trace: { type: "string" },
    help: { type: "boolean", default: false },
    /** For the processes that this one starts: a line of JSON a run. */
    lines: { type: "boolean", default: false },
  },
});

function wholeNumber(name: "seed" | "seeds" | "steps" | "workers"): number {
  const text = values[name];
  if (/^\d{1,12}$/.test(text)) return Number(text);
  return refuse(`--${name} must be a whole number, not ${text}`);
}

function refuse(problem: string): never {
  process.stderr.write(`${problem}\n\n${USAGE}`);
  process.exit(2);
}

interface Plan {
  readonly seeds: readonly number[];
  readonly steps: number;
  readonly kinds: readonly FaultKind[];
}

async function runHere(plan: Plan, tell: (run: SimulationRun) => void): Promise<void> {
  const lines: string[] = [];
  for (const seed of plan.seeds) {
    const trace = values.trace === undefined ? {} : { trace: (line: string) => lines.push(line) };
    tell(await runSimulation({ seed, steps: plan.steps, faults: plan.kinds, ...trace }));
  }
  if (values.trace !== undefined) writeFileSync(values.trace, `${lines.join("\n")}\n`);
}

/** Every process takes the next seed that nobody has taken, a few at a time. */
async function runInProcesses(plan: Plan, tell: (run: SimulationRun) => void): Promise<void> {
  const left = [...plan.seeds];
  const work = async (): Promise<void> => {
    for (;;) {
      const mine = left.splice(0, SEEDS_OF_A_PROCESS);
      const [first] = mine;
      if (first === undefined) return;
      await runInProcess({ ...plan, seeds: mine }, first, tell);
    }
  };
  await Promise.all(Array.from({ length: wholeNumber("workers") }, work));
}

/** A process of its own now and then gives back the memory of the databases. */
const SEEDS_OF_A_PROCESS = 10;

async function runInProcess(
  plan: Plan,
  first: number,
  tell: (run: SimulationRun) => void,
): Promise<void> {
  const own = ["--seed", first, "--seeds", plan.seeds.length, "--steps", plan.steps].map(String);
  const script = process.argv[1] ?? "";
  const child = spawn(
    process.execPath,
    [...process.execArgv, script, ...own, "--faults", values.faults, "--lines"],
    { stdio: ["ignore", "pipe", "inherit"] },
  );
  const ended = new Promise<number | null>((resolve) => child.on("close", resolve));
  let runs = 0;
  for await (const line of createInterface({ input: child.stdout })) {
    runs += 1;
    tell(JSON.parse(line) as SimulationRun);
  }
  const code = await ended;
  if (runs === plan.seeds.length) return;
  throw new Error(
    `the process for the seeds from ${first} on ended with ${code} after ${runs} runs`,
  );
}

if (values.help) {
  process.stdout.write(USAGE);
  process.exit(0);
}
const kinds = parseFaultKinds(values.faults);
if (kinds === null) refuse(`--faults: what is ${values.faults}?`);
const first = wholeNumber("seed");
const plan: Plan = {
  seeds: Array.from({ length: wholeNumber("seeds") }, (_, index) => first + index),
  steps: wholeNumber("steps"),
  kinds,
};
const runs: SimulationRun[] = [];
const tell = (run: SimulationRun): void => {
  runs.push(run);
  process.stdout.write(values.lines ? `${JSON.stringify(run)}\n` : reportOf(run, values.faults));
  if (!values.lines && plan.seeds.length > 1)
    process.stderr.write(`${runs.length} of ${plan.seeds.length} seeds\n`);
};
const isAlone = values.lines || (wholeNumber("workers") === 1 && plan.seeds.length === 1);
await (isAlone ? runHere(plan, tell) : runInProcesses(plan, tell));
runs.sort((one, other) => one.seed - other.seed);
if (values.json !== undefined) {
  mkdirSync(dirname(values.json), { recursive: true });
  writeFileSync(values.json, `${JSON.stringify({ runs }, null, 1)}\n`);
}
if (!values.lines && runs.length > 1) process.stdout.write(totalOf(runs));
const failed = runs.filter(({ findings }) => findings.length > 0);
if (!values.lines)
  for (const run of failed)
    process.stderr.write(`${commandOf(run, { steps: plan.steps, faults: values.faults })}\n`);
process.exitCode = failed.length > 0 && !values.lines ? 1 : 0;

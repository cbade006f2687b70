import { mkdirSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import {
  type OptionValues,
  optionalTextOption,
  type Proof,
  type ReportLine,
  textOption,
  WrongOptionsError,
  wholeNumberOption,
} from "../proof.ts";
import { resultList, sumCounts, sumNumber } from "../result-parts.ts";
import { CATALOGUE_ACTS, DISTURBED_START } from "./catalogue-changes.ts";
import { FAULT_KINDS, parseFaultKinds } from "./faults.ts";
import { COUNTED_PRICE_TASKS } from "./price-tasks.ts";
import type { SimulationResult } from "./run-simulation.ts";

const HOUR_MS = 3_600_000;

/** Simulates random days of two nodes, by default with faults of all kinds. The same seed repeats a run. */
export const SIMULATE: Proof = {
  name: "simulate",
  sentence:
    "Simulates random days of two nodes with crashes and faults; the same seed gives the same run.",
  options: {
    seed: { value: "N", fallback: "1", meaning: "the first seed" },
    seeds: { value: "K", fallback: "1", meaning: "the number of seeds, starting with N" },
    steps: { value: "M", fallback: "5000", meaning: "steps of each seed" },
    lost: {
      value: "YES",
      fallback: "no",
      meaning: "yes: databases lose their last commits, or are restored, under the nodes",
    },
    databases: { value: "D", fallback: "1", meaning: "databases that the accounts are on" },
    faults: {
      value: "WHAT",
      fallback: "all",
      meaning: `none, all, or some of ${FAULT_KINDS.join(",")}`,
    },
    workers: {
      value: "W",
      fallback: "1",
      meaning: "processes that share the seeds",
      isLocal: true,
    },
    trace: {
      value: "FILE",
      fallback: "",
      meaning: "writes the history of the run to this file; for one seed",
      isLocal: true,
    },
  },
  run,
  read(result) {
    const runs = resultList(result, "runs");
    const [simulatedMs, realMs] = [sumNumber(runs, "simulatedMs"), sumNumber(runs, "realMs")];
    const findings = runs.flatMap((run) => resultList(run, "findings"));
    const answers = sumCounts(runs, "statuses");
    const acts = sumCounts(runs, "acts");
    const never = actsNeverDrawn(runs, acts);
    return {
      // A run in which no request succeeded cannot break a promise, so it does not count as passed.
      passed: findings.length === 0 && (answers["200"] ?? 0) > 0 && never.length === 0,
      figures: {
        seeds: runs.length,
        steps: sumNumber(runs, "steps"),
        "simulated hours": Math.round(simulatedMs / HOUR_MS),
        "times real time": Math.round(simulatedMs / realMs),
        ...prefixed("fault: ", sumCounts(runs, "faults")),
        ...prefixed("act: ", acts),
        ...(never.length === 0 ? {} : { "acts that were never drawn": never.join(", ") }),
        ...prefixed("answer: ", answers),
        "broken promises": findings.length,
      },
    };
  },
  fullRuns: [
    {
      record: "simulation",
      title: "Deterministic simulation",
      promise:
        "Two nodes share one database and serve many clients, with faults of every kind: crashes between any two awaits, lost and late answers, failing and slow storage, " +
        "clocks that step, repeated and reordered prices. Whenever the run is quiet, the checkers compare the answers with the journal.",
      size: { seed: "1", seeds: "200", steps: "5000" },
    },
  ],
};

async function run(
  given: OptionValues,
  report: ReportLine,
): Promise<{ runs: readonly SimulationResult[] }> {
  const { repeatCommandOf, runReport, totalReport } = await import("./report.ts");
  const [steps, workers, count] = [
    wholeNumberOption(given, "steps"),
    wholeNumberOption(given, "workers"),
    wholeNumberOption(given, "seeds"),
  ];
  const databases = wholeNumberOption(given, "databases");
  const faults = textOption(given, "faults");
  const losesCommits = textOption(given, "lost") === "yes";
  const kinds = parseFaultKinds(faults);
  if (kinds === null) throw new WrongOptionsError(`--faults: unknown kind in ${faults}`);
  const first = wholeNumberOption(given, "seed");
  const seeds = Array.from({ length: count }, (_, index) => first + index);
  const runs: SimulationResult[] = [];
  const take = (one: SimulationResult): void => {
    runs.push(one);
    report(runReport(one, faults).trimEnd());
    if (count > 1) report(`${runs.length} of ${count} seeds`);
  };
  if (workers === 1 && count === 1) {
    take(
      await runTraced(
        { seed: first, steps, faults: kinds, databases, losesCommits },
        optionalTextOption(given, "trace"),
      ),
    );
  } else {
    const { runSeedsInProcesses } = await import("./run-in-processes.ts");
    await runSeedsInProcesses({ seeds, steps, kinds, databases, losesCommits, workers }, take);
  }
  runs.sort((one, other) => one.seed - other.seed);
  if (count > 1) report(totalReport(runs).trimEnd());
  for (const one of runs.filter(({ findings }) => findings.length > 0))
    report(repeatCommandOf(one, { steps, faults, databases, losesCommits }));
  return { runs };
}

async function runTraced(
  plan: Parameters<typeof import("./run-simulation.ts").runSimulation>[0],
  file: string | null,
): Promise<SimulationResult> {
  const { runSimulation } = await import("./run-simulation.ts");
  if (file === null) return runSimulation(plan);
  const lines: string[] = [];
  const run = await runSimulation({ ...plan, trace: (line) => lines.push(line) });
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, `${lines.join("\n")}\n`);
  return run;
}

/** Runs with this many steps in total must contain every act. */
const STEPS_WITH_ALL_ACTS = 100_000;

/**
 * The acts that the runs must contain and do not; none for short runs. Changes of the catalogue are not required where
 * databases lose commits, because such runs make none.
 */
function actsNeverDrawn(
  runs: readonly unknown[],
  acts: Readonly<Record<string, number>>,
): readonly string[] {
  if (sumNumber(runs, "steps") < STEPS_WITH_ALL_ACTS) return [];
  const faults = sumCounts(runs, "faults");
  const hasLosses = (faults["history.lostCommits"] ?? 0) > 0;
  const starts = hasLosses ? [] : CATALOGUE_ACTS;
  const disturbed = hasLosses || Object.keys(faults).length === 0 ? [] : [DISTURBED_START];
  return [...COUNTED_PRICE_TASKS, ...starts, ...disturbed].filter((act) => (acts[act] ?? 0) === 0);
}

function prefixed(prefix: string, counts: Readonly<Record<string, number>>) {
  return Object.fromEntries(Object.entries(counts).map(([name, count]) => [prefix + name, count]));
}

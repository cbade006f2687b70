import type { SimulationResult } from "./run-simulation.ts";

type Counts = Readonly<Record<string, number>>;

/** One line about the run, and one for each finding with its step. */
export function runReport(run: SimulationResult, faults: string): string {
  const findings = run.findings.map(
    ({ step, checker, accountId, message }) =>
      `  FINDING at step ${step}, ${checker}${accountId === null ? "" : `, account ${accountId}`}: ${message}\n`,
  );
  const { seed, steps, digest, checks, calmChecks } = run;
  const words = [
    `seed ${seed}`,
    `${steps} steps`,
    timesOf(run),
    `faults (${faults}): ${countsOf(run.faults)}`,
    `acts: ${countsOf(run.acts)}`,
    `exchanges: ${run.exchanges} (${countsOf(run.statuses)})`,
    `checks: ${checks}, without faults ${calmChecks}`,
    `findings: ${run.findings.length}`,
    digest.slice(0, 16),
  ];
  return `${words.join(" | ")}\n${findings.join("")}`;
}

/** One line with the sums over all runs. */
export function totalReport(runs: readonly SimulationResult[]): string {
  const sum = (of: (run: SimulationResult) => number): number =>
    runs.reduce((total, run) => total + of(run), 0);
  const all = {
    simulatedMs: sum((run) => run.simulatedMs),
    realMs: sum((run) => run.realMs),
    cpuMs: sum((run) => run.cpuMs),
    steps: sum((run) => run.steps),
  };
  const words = [
    `${runs.length} seeds`,
    `${all.steps} steps`,
    timesOf(all),
    `faults: ${countsOf(sumCounts(runs.map((run) => run.faults)))}`,
    `acts: ${countsOf(sumCounts(runs.map((run) => run.acts)))}`,
    `exchanges: ${sum((run) => run.exchanges)} (${countsOf(sumCounts(runs.map((run) => run.statuses)))})`,
    `findings: ${sum((run) => run.findings.length)}`,
  ];
  return `${words.join(" | ")}\n`;
}

/** The first finding of the run, and the command that repeats the run. */
export function repeatCommandOf(
  { seed, findings }: SimulationResult,
  given: {
    readonly steps: number;
    readonly faults: string;
    readonly databases: number;
    readonly losesCommits: boolean;
  },
): string {
  const [first] = findings;
  const { steps, faults, databases, losesCommits } = given;
  const several = `${databases === 1 ? "" : ` --databases ${databases}`}${losesCommits ? " --lost yes" : ""}`;
  return [
    `seed ${seed}, step ${first?.step}: ${first?.message}`,
    `  npm run prove -- simulate --seed ${seed} --steps ${steps} --faults ${faults}${several}`,
  ].join("\n");
}

const HOUR_MS = 3_600_000;

function timesOf({
  simulatedMs,
  realMs,
  cpuMs,
  steps,
}: Pick<SimulationResult, "simulatedMs" | "realMs" | "cpuMs" | "steps">): string {
  const ratio = Math.round(simulatedMs / Math.max(1, realMs));
  const perSecond = Math.round((steps / Math.max(1, cpuMs)) * 1000);
  return `${(simulatedMs / HOUR_MS).toFixed(0)} h simulated in ${(realMs / 1000).toFixed(1)} s (x ${ratio}, ${perSecond} steps a second of processor time)`;
}

function sumCounts(counts: readonly Counts[]): Counts {
  const sums: Record<string, number> = {};
  for (const one of counts) {
    for (const [name, count] of Object.entries(one)) sums[name] = (sums[name] ?? 0) + count;
  }
  return sums;
}

function countsOf(counts: Counts): string {
  const entries = Object.entries(counts).sort(([one], [other]) => (one < other ? -1 : 1));
  return entries.length === 0
    ? "none"
    : entries.map(([name, count]) => `${name} ${count}`).join(", ");
}

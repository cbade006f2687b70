import { describe, expect, test } from "vitest";
import { FAULT_KINDS } from "./faults.ts";
import { runInProcess } from "./run-in-processes.ts";
import { runSimulation, type SimulationRun } from "./run-simulation.ts";
import { SIMULATE } from "./simulate-proof.ts";

const STEPS = 600;
const HOUR_MS = 3_600_000;
const SEEDS = [2, 4, 6, 8] as const;

describe("a simulated day of two nodes on one database", () => {
  test.each(SEEDS)("seed %i keeps every promise through faults of all kinds", async (seed) => {
    const run = await runSimulation({ seed, steps: STEPS, faults: FAULT_KINDS });
    expect(run.findings).toEqual([]);
    expect(run).toMatchObject({ seed, steps: STEPS });
    expect(run.calmChecks).toBeGreaterThan(1);
    expect(run.statuses[200] ?? 0).toBeGreaterThan(STEPS / 10);
    expect(run.simulatedMs).toBeGreaterThan(HOUR_MS);
  });

  test("accounts on two databases keep every promise through faults of all kinds", async () => {
    const run = await runSimulation({ seed: 2, steps: STEPS, faults: FAULT_KINDS, databases: 2 });
    expect(run.findings).toEqual([]);
    expect(run.calmChecks).toBeGreaterThan(1);
    expect(run.statuses[200] ?? 0).toBeGreaterThan(STEPS / 10);
    expect(run.accountsOn).toHaveLength(2);
    for (const accounts of run.accountsOn) expect(accounts).toBeGreaterThan(0);
  });

  test("a run without faults has no lost answer and no 500", async () => {
    const run = await runSimulation({ seed: 5, steps: STEPS, faults: [] });
    expect(run.findings).toEqual([]);
    expect(run.faults).toEqual({});
    expect(Object.keys(run.statuses)).not.toContain("lost");
    expect(Object.keys(run.statuses)).not.toContain("500");
  });

  test("the same seed gives the same history byte for byte, in another process too", async () => {
    const settings = { seed: 6, steps: STEPS, faults: FAULT_KINDS };
    const lines: string[] = [];
    const first = await runSimulation({ ...settings, trace: (line) => lines.push(line) });
    const again: string[] = [];
    const second = await runSimulation({ ...settings, trace: (line) => again.push(line) });
    expect(again).toEqual(lines);
    expect(second.digest).toBe(first.digest);
    expect((await runElsewhere(settings.seed)).digest).toBe(first.digest);
    const other = await runSimulation({ ...settings, seed: 7 });
    expect(other.digest).not.toBe(first.digest);
  });
});

async function runElsewhere(seed: number): Promise<SimulationRun> {
  const runs: SimulationRun[] = [];
  await runInProcess({ seeds: [seed], steps: STEPS, kinds: FAULT_KINDS }, (run) => runs.push(run));
  const [run] = runs;
  if (run === undefined) throw new Error("the process wrote no run");
  return run;
}

describe("the result of a simulation", () => {
  const run = { findings: [], faults: {}, simulatedMs: 1, realMs: 1, steps: 1 };

  test("a result counts the answers, and passes when requests succeeded and no promise was broken", () => {
    const result = { runs: [{ ...run, statuses: { 200: 2, 409: 1 } }] };
    expect(SIMULATE.read(result, [])).toMatchObject({
      passed: true,
      figures: { "answer: 200": 2, "answer: 409": 1 },
    });
  });

  test.each([{}, { 400: 5 }])("a result without a successful request fails: %j", (statuses) => {
    expect(SIMULATE.read({ runs: [{ ...run, statuses }] }, []).passed).toBe(false);
  });
});

import { execFile } from "node:child_process";
import { join } from "node:path";
import { promisify } from "node:util";
import { describe, expect, test } from "vitest";
import { ROOT } from "../source-tree.ts";
import { FAULT_KINDS } from "./faults.ts";
import { runSimulation, type SimulationRun } from "./run-simulation.ts";

const STEPS = 600;
const HOUR_MS = 3_600_000;
const SEEDS = [1, 2, 3, 4] as const;

describe("a simulated day of two nodes on one database", () => {
  test.each(SEEDS)("seed %i: whatever goes wrong, every promise is kept", async (seed) => {
    const run = await runSimulation({ seed, steps: STEPS, faults: FAULT_KINDS });
    expect(run.findings).toEqual([]);
    expect(run).toMatchObject({ seed, steps: STEPS });
    expect(run.calmLooks).toBeGreaterThan(1);
    expect(run.statuses[200] ?? 0).toBeGreaterThan(STEPS / 10);
    expect(run.simulatedMs).toBeGreaterThan(HOUR_MS);
  });

  test("without faults nothing is lost and nothing is a 500", async () => {
    const run = await runSimulation({ seed: 5, steps: STEPS, faults: [] });
    expect(run.findings).toEqual([]);
    expect(run.faults).toEqual({});
    expect(Object.keys(run.statuses)).not.toContain("lost");
    expect(Object.keys(run.statuses)).not.toContain("500");
  });

  test("the same seed is the same history, byte for byte, in another process as well", async () => {
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
  const script = join(ROOT, "tools/simulate.ts");
  const given = ["--seed", seed, "--steps", STEPS].map(String);
  const run = promisify(execFile);
  const { stdout } = await run(process.execPath, [
    ...["--conditions=@propgate/source", script, ...given, "--lines"],
  ]);
  return JSON.parse(stdout) as SimulationRun;
}

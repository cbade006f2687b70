import { describe, expect, test } from "vitest";
import { scaledCount } from "../../test/environment/depth.ts";
import { CATALOGUE_ACTS } from "./catalogue-changes.ts";
import { FAULT_KINDS } from "./faults.ts";
import { COUNTED_PRICE_TASKS } from "./price-tasks.ts";
import { runSeedsInProcess } from "./run-in-processes.ts";
import { runSimulation, type SimulationResult } from "./run-simulation.ts";
import { SIMULATE } from "./simulate-proof.ts";

const STEPS = scaledCount(600, 300);
const MINUTE_MS = 60_000;
/** The number of steps of the shorter runs: those for determinism, without faults, and with one kind of faults. */
const SHORT_STEPS = scaledCount(600, 60);
/**
 * The maximum number of further runs with only one kind of faults, when no fault of this kind happened in the first
 * runs. The intensity of the kind is drawn, so a further run may have none either.
 */
const SEEDS_MAX = 20;
const [SEED_OF_TWO = 0, ...SEEDS] = [183, 16, 2, 5, 6].slice(0, scaledCount(5, 2));

describe("a simulated day of two nodes on one database", () => {
  /** The runs with faults of all kinds, by seed. The first test that needs a run makes it. */
  const runs = new Map<number, Promise<SimulationResult>>();
  const runOf = (seed: number): Promise<SimulationResult> => {
    const databases = seed === SEED_OF_TWO ? 2 : 1;
    const run =
      runs.get(seed) ?? runSimulation({ seed, steps: STEPS, faults: FAULT_KINDS, databases });
    runs.set(seed, run);
    return run;
  };

  test.each(SEEDS)("seed %i keeps every promise through faults of all kinds", async (seed) => {
    const run = await runOf(seed);
    expect(run.findings).toEqual([]);
    expect(run).toMatchObject({ seed, steps: STEPS });
    expect(run.calmChecks).toBeGreaterThan(0);
    expect(run.statuses[200] ?? 0).toBeGreaterThan(STEPS / 10);
    expect(run.simulatedMs).toBeGreaterThan(MINUTE_MS);
  });

  test("accounts on two databases keep every promise through faults of all kinds", async () => {
    const run = await runOf(SEED_OF_TWO);
    expect(run.findings).toEqual([]);
    expect(run.calmChecks).toBeGreaterThan(0);
    expect(run.statuses[200] ?? 0).toBeGreaterThan(STEPS / 10);
    expect(run.accountsOn).toHaveLength(2);
    for (const accounts of run.accountsOn) expect(accounts).toBeGreaterThan(0);
  });

  test("nodes whose database loses commits, or is restored under them, keep every journal whole [D13.namedByHash] [D13.incarnation]", async () => {
    const settings = { seed: 2, steps: STEPS, faults: [], losesCommits: true };
    const run = await runSimulation(settings);
    expect(run.findings).toEqual([]);
    expect(run.calmChecks).toBeGreaterThan(0);
    expect(run.faults["history.lostCommits"] ?? 0).toBeGreaterThan(0);
    expect(run.faults["history.restore"] ?? 0).toBeGreaterThan(0);
  });

  test("faults of every kind are met, and every promise is kept through them", async () => {
    const first = await Promise.all([SEED_OF_TWO, ...SEEDS].map(runOf));
    const met = new Set(first.flatMap(kindsOf));
    for (const kind of FAULT_KINDS.filter((one) => !met.has(one))) {
      for (let seed = 1; seed <= SEEDS_MAX && !met.has(kind); seed += 1) {
        const run = await runSimulation({ seed, steps: SHORT_STEPS, faults: [kind] });
        expect([kind, seed, run.findings]).toEqual([kind, seed, []]);
        for (const one of kindsOf(run)) met.add(one);
      }
    }
    expect([...met].toSorted()).toEqual(FAULT_KINDS.toSorted());
  });

  test("a run without faults has no lost answer and no 500", async () => {
    const run = await runSimulation({ seed: 5, steps: SHORT_STEPS, faults: [] });
    expect(run.findings).toEqual([]);
    expect(run.faults).toEqual({});
    expect(Object.keys(run.statuses)).not.toContain("lost");
    expect(Object.keys(run.statuses)).not.toContain("500");
  });

  test("the same seed gives the same history byte for byte, in another process too", async () => {
    const settings = { seed: 6, steps: SHORT_STEPS, faults: FAULT_KINDS };
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

async function runElsewhere(seed: number): Promise<SimulationResult> {
  const runs: SimulationResult[] = [];
  const plan = { seeds: [seed], steps: SHORT_STEPS, kinds: FAULT_KINDS };
  await runSeedsInProcess(plan, (run) => runs.push(run));
  const [run] = runs;
  if (run === undefined) throw new Error("the process wrote no run");
  return run;
}

const HOUR_MS = 3_600_000;
const SECOND_MS = 1_000;
/** The wrong clocks of the tests; a short run tries only the first ones. */
const CLOCKS = (
  [
    ["three hours ahead", 3 * HOUR_MS],
    ["an hour forth and back under load", "swings"],
    ["eight seconds behind", -8 * SECOND_MS],
    ["three hours behind", -3 * HOUR_MS],
    ["eight seconds ahead", 8 * SECOND_MS],
    ["a second ahead, which is right", SECOND_MS],
    ["a second behind, which is right", -SECOND_MS],
    ["61 days ahead", 61 * 24 * HOUR_MS],
  ] as const
).slice(0, scaledCount(8));
/** The maximum number of steps of a burst. A run has two bursts for each node. */
const CLOCK_STEPS = scaledCount(100);

describe("a node whose clock is wrong [D12.oneClock]", () => {
  test.each(CLOCKS)(
    "a node whose clock is %s, of one node or of three, feed or not: no account moves, no other account waits, and prices go on",
    async (_, wrongClock) => {
      let succeeded = 0;
      for (const nodes of [1, 3]) {
        const run = await runSimulation({
          seed: 1,
          steps: CLOCK_STEPS,
          faults: [],
          nodes,
          wrongClock,
        });
        expect([nodes, run.findings]).toEqual([nodes, []]);
        expect(run.faults).toEqual({ "clock.start": nodes, "clock.step": nodes });
        succeeded += run.statuses[200] ?? 0;
      }
      // With one node and so few steps, every request of a run may be refused.
      expect(succeeded).toBeGreaterThan(0);
    },
  );
});

describe("the result of a simulation", () => {
  const run = { findings: [], faults: {}, acts: {}, simulatedMs: 1, realMs: 1, steps: 1 };

  test("a result counts the answers, and passes when requests succeeded and no promise was broken", () => {
    const result = { runs: [{ ...run, statuses: { 200: 2, 409: 1 } }] };
    expect(SIMULATE.read(result, [])).toMatchObject({
      passed: true,
      figures: { "answer: 200": 2, "answer: 409": 1 },
    });
  });

  test("a long result without one of the acts fails, and names it", () => {
    const acts = Object.fromEntries(
      [...COUNTED_PRICE_TASKS, ...CATALOGUE_ACTS].map((act) => [act, 1]),
    );
    const long = { ...run, steps: 100_000, statuses: { 200: 2 } };
    expect(SIMULATE.read({ runs: [{ ...long, acts }] }, []).passed).toBe(true);
    const shown = SIMULATE.read({ runs: [{ ...long, acts: { ...acts, "split.late": 0 } }] }, []);
    expect(shown.passed).toBe(false);
    expect(shown.figures["acts that were never drawn"]).toBe("split.late");
  });

  test.each([{}, { 400: 5 }])("a result without a successful request fails: %j", (statuses) => {
    expect(SIMULATE.read({ runs: [{ ...run, statuses }] }, []).passed).toBe(false);
  });
});

function kindsOf({ faults }: SimulationResult): readonly string[] {
  return Object.keys(faults).map((fault) => fault.split(".")[0] ?? "");
}

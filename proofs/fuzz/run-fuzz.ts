import type { FuzzGroup, FuzzPlan, FuzzResult, FuzzSuite, OpenFuzzGroup } from "./fuzz-suite.ts";

/**
 * The result of a run, with the seed that repeats it. A suite has 0 failures when its property holds for every input.
 * The check of a group's subject counts as a suite with one input.
 */
export interface FuzzSummary {
  readonly seed: number;
  readonly suites: readonly {
    readonly name: string;
    readonly runs: number;
    readonly failures: number;
  }[];
}

/**
 * Runs the suites of the groups one after the other, and checks after each group that its subject still works. Reports
 * each result.
 */
export async function runFuzz(
  groups: readonly FuzzGroup[],
  given: {
    readonly plan: FuzzPlan;
    /** Runs only suites whose name contains this text. */
    readonly only: string;
    readonly report: (line: string) => void;
  },
): Promise<FuzzSummary> {
  const suites: FuzzSummary["suites"][number][] = [];
  const take = ({ name, runs, failures, failing }: FuzzResult): void => {
    given.report(`${failures === 0 ? "ok" : "FAILS"}  ${name}: ${runs} runs`);
    if (failing !== null) given.report(failing);
    suites.push({ name, runs, failures });
  };
  for (const group of groups) {
    const open = await group.open();
    try {
      const chosen = open.suites.filter(({ name }) => name.includes(given.only));
      for (const suite of chosen) take(await resultOf(suite, given.plan));
      if (chosen.length > 0) take(await checkSubject(group, open));
    } finally {
      await open.close();
    }
  }
  return { seed: given.plan.seed, suites };
}

/**
 * The suite's result. An exception, such as one of a service that stops answering, fails this suite, and later suites
 * still run.
 */
async function resultOf(suite: FuzzSuite, plan: FuzzPlan): Promise<FuzzResult> {
  try {
    return await suite.run(plan);
  } catch (cause) {
    return { name: suite.name, runs: plan.runs, failures: 1, failing: String(cause) };
  }
}

async function checkSubject(group: FuzzGroup, open: OpenFuzzGroup): Promise<FuzzResult> {
  const name = `after the suites: ${group.name}`;
  try {
    await open.expectSound();
    return { name, runs: 1, failures: 0, failing: null };
  } catch (cause) {
    return { name, runs: 1, failures: 1, failing: String(cause) };
  }
}
